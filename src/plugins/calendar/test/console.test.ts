import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the page of the calendar', (desk) => {
  test('the address of the calendar is shown once, works, and ends', async () => {
    const { world } = desk
    const page = await desk.open('calendar')
    await desk.press('Make an address')
    const url = await page.getByRole('dialog').locator('output').innerText()
    const path = new URL(url).pathname
    expect((await world.app.inject(path)).statusCode).toBe(200)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.content()).not.toContain(path)
    await desk.press('End the address')
    await desk.confirm('End the address')
    await page.getByText('The address has ended.').waitFor()
    expect((await world.app.inject(path)).statusCode).toBe(404)
  })
})
