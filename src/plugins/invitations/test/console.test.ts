import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { type } from '#test/keyboard.ts'

describeConsole('the page of invitations', (desk) => {
  test('somebody is invited; the link is shown once; the invitation is sent again and withdrawn', async () => {
    const { world, tenant } = desk
    const page = await desk.open('invitations/new')
    await type(page, 'grace@example.org')
    await page.keyboard.press('Enter')
    const link = await page.getByRole('dialog').locator('output').innerText()
    expect(link).toMatch(/\/account\/.*#token=/)
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'grace@example.org', exact: true }).waitFor()
    expect(await page.content()).not.toContain('#token=')

    await desk.press('Send again')
    expect(await page.getByRole('dialog').locator('output').innerText()).not.toBe(link)
    await page.keyboard.press('Escape')
    await desk.press('Withdraw')
    await desk.confirm('Withdraw')
    await desk.says('The invitation was withdrawn.')
    expect((await world.as(tenant.administrator).get('/invitations')).expect(200)).toMatchObject([
      { email: 'grace@example.org', status: 'withdrawn' },
    ])
  })
})
