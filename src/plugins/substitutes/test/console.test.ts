import { test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of a person', (desk) => {
  test('names a substitute', async () => {
    const ada = await desk.world.givenUser(desk.tenant)
    const page = await desk.open(`people/${ada.id}`)
    await desk.press('Name a substitute')
    await page.getByRole('combobox', { name: 'Substitute' }).pressSequentially('boss')
    await page.getByRole('option', { name: 'boss' }).first().waitFor()
    await page.keyboard.press('Enter')
    await desk.confirm('Save')
    await desk.says('boss is the substitute.')
  })
})
