import { test } from 'vitest'
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
})
