import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import type { Person } from '#test/world.ts'

describeConsole('the page of notifications', (desk) => {
  async function give(assignee: Person, title: string) {
    const boss = desk.tenant.administrator
    const project = await desk.world.givenProject(boss)
    await desk.world.givenMember(boss, project, assignee)
    await desk.world.givenTask(boss, project, { title, assigneeId: assignee.id })
  }

  test('shows one that comes while it is open', async () => {
    const person = await desk.world.givenUser(desk.tenant)
    const page = await desk.open('notifications', person)
    await page.getByText('Nothing has happened yet.').waitFor()
    await give(person, 'Buy bread')
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()
    await page.getByRole('status').getByText('Buy bread').waitFor({ state: 'attached' })
  })

  test('shows one that comes after the list is read and before the stream begins', async () => {
    const person = await desk.world.givenUser(desk.tenant)
    const page = await desk.open('profile', person)
    await page.route('**/notifications/stream', async (route) => {
      await page.getByText('Nothing has happened yet.').waitFor()
      await give(person, 'Buy bread')
      await route.continue()
    })
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()
  })

  test('goes on for who signs in again after their session has ended, with what came meanwhile', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    const account = { username: 'grace', password: 'a password of many' }
    const { id } = (await boss.post('/users', account)).expect(201)
    const login = { ...account, tenantCode: desk.tenant.code }
    const { accessToken: token } = (await desk.world.anyone.post('/auth/login', login)).expect(200)
    const grace = { ...account, id, tenantId: desk.tenant.id, token }
    const page = await desk.open('notifications', grace)
    await give(grace, 'Buy bread')
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()

    ;(await desk.world.as(grace).post('/auth/logout')).expect(200)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await give(grace, 'Bake a cake')
    expect(await page.getByRole('cell', { name: 'Bake a cake' }).count()).toBe(0)
    await again.getByLabel('Password').fill(account.password)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Bake a cake' }).first().waitFor()
    await give(grace, 'Make tea')
    await page.getByRole('cell', { name: 'Make tea' }).first().waitFor()
  })
})
