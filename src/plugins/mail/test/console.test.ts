import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of mail', (desk) => {
  test('a mail that was given up is tried again', async () => {
    const { world } = desk
    await world.givenDeadMail(desk.tenant, 'lost@example.org')
    const page = await desk.open('mail?status=dead')
    await page.getByRole('cell', { name: 'lost@example.org', exact: true }).waitFor()
    await desk.press('Try again: lost@example.org')
    await page.getByText('The mail to lost@example.org is tried again').waitFor()
    const triedAgain = `select count(*) from mails where recipient = 'lost@example.org' and last_error is distinct from '550 No such user'`
    await expect.poll(() => world.look.count(triedAgain)).toBe(1)
  })
})
