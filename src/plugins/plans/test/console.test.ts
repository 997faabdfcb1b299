import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of usage', (desk) => {
  test('what is used stands beside the limits of the plan', async () => {
    const boss = desk.world.as(desk.tenant.administrator)
    await boss.post('/projects', { name: 'Relaunch', code: 'R' }, { 'idempotency-key': 'relaunch' })
    const usage = (await boss.get('/tenant/usage')).expect(200)
    expect(usage).toMatchObject({ people: { used: 1 }, projects: { used: 1 } })
    const page = await desk.open('usage')
    const row = (name: string) => page.getByRole('row', { name }).getByRole('cell')
    for (const [name, { used, limit }] of [
      ['People who can sign in', usage.people],
      ['Projects that are not archived', usage.projects],
    ])
      expect((await row(name).allInnerTexts()).slice(1, 3)).toEqual([
        String(used),
        limit === null ? 'none' : String(limit),
      ])
  })
})
