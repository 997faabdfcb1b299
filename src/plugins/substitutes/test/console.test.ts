import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'

describeConsole('the page of a person', (desk) => {
  test('names a substitute', async () => {
    const ada = await desk.world.givenUser(desk.tenant)
    const page = await desk.open(`people/${ada.id}`)
    await desk.press('Name a substitute')
    const refusals = async () => (await page.getByRole('dialog').locator('.wrong').allInnerTexts()).join('')
    await desk.confirm('Save')
    await until(async () => (await refusals()) !== '')
    await desk.confirm('Close')
    await desk.press('Name a substitute')
    expect(await refusals()).toBe('')
    await page.getByRole('combobox', { name: 'Substitute' }).pressSequentially('boss')
    await page.getByRole('option', { name: 'boss' }).first().waitFor()
    await page.keyboard.press('Enter')
    await desk.confirm('Save')
    await desk.says('boss is the substitute.')
  })

  test('begins on the day where the page is when the form is opened', async () => {
    const page = await desk.open(`people/${(await desk.world.givenUser(desk.tenant)).id}`)
    const devtools = await page.context().newCDPSession(page)
    // It is never the same day in these two, so one of them never has that of UTC.
    for (const timezoneId of ['Etc/GMT+12', 'Etc/GMT-14']) {
      const today = () => new Date().toLocaleDateString('sv', { timeZone: timezoneId })
      await devtools.send('Emulation.setTimezoneOverride', { timezoneId })
      const before = today()
      await desk.press('Name a substitute')
      expect([before, today()]).toContain(await desk.label('First day').inputValue())
      await desk.confirm('Close')
    }
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await devtools.detach()
  })
})
