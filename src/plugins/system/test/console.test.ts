import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'

describeConsole('the pages of the installation', (desk) => {
  test('health, jobs and versions show the installation, to its administrator alone', async () => {
    const { world } = desk
    const page = await desk.open('health', world.admin)
    await page.getByText('ready', { exact: true }).waitFor()
    await page.getByRole('img', { name: /^Requests: / }).waitFor()
    await page.getByRole('link', { name: 'Jobs' }).click()
    await page.getByRole('cell', { name: 'Remove what has expired' }).waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('cell', { name: 'isolation' }).waitFor()
    const boss = await world.givenUser({ id: 1 }, 'admin')
    const other = await desk.open('health', boss)
    await other.getByText('Your roles do not allow you to see this.').waitFor()
    expect(await other.getByRole('navigation').getByRole('link', { name: 'Tenants' }).count()).toBe(0)
  })
})
