import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of notifications', (desk) => {
  test('shows one that comes while it is open', async () => {
    const boss = desk.tenant.administrator
    const person = await desk.world.givenUser(desk.tenant)
    const page = await desk.open('notifications', person)
    await page.getByText('Nothing has happened yet.').waitFor()
    const project = await desk.world.givenProject(boss)
    await desk.world.givenMember(boss, project, person)
    await desk.world.givenTask(boss, project, { title: 'Buy bread', assigneeId: person.id })
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()
    await page.getByRole('status').getByText('Buy bread').waitFor({ state: 'attached' })
  })
  test('goes on for who signs in again after their session has ended, with what came meanwhile', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    const account = { username: 'grace', password: 'a password of many' }
    const { id } = (await boss.post('/users', account)).expect(201)
    const login = { ...account, tenantCode: desk.tenant.code }
    const { accessToken: token } = (await desk.world.anyone.post('/auth/login', login)).expect(200)
    const grace = { ...account, id, tenantId: desk.tenant.id, token }
    const page = await desk.open('notifications', grace)
    const project = await desk.world.givenProject(desk.tenant.administrator)
    await desk.world.givenMember(desk.tenant.administrator, project, grace)
    const give = (title: string) => desk.world.givenTask(desk.tenant.administrator, project, { title, assigneeId: id })
    await give('Buy bread')
    await page.getByRole('cell', { name: 'Buy bread' }).first().waitFor()

    ;(await desk.world.as(grace).post('/auth/logout')).expect(200)
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    await again.waitFor()
    await give('Bake a cake')
    expect(await page.getByRole('cell', { name: 'Bake a cake' }).count()).toBe(0)
    await again.getByLabel('Password').fill(account.password)
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'Bake a cake' }).first().waitFor()
    await give('Make tea')
    await page.getByRole('cell', { name: 'Make tea' }).first().waitFor()
  })
})
