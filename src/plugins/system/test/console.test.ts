import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { until } from '#test/patience.ts'

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
  test('what goes on by itself is asked for again after the answer, and not before', async () => {
    const page = await desk.open('jobs', desk.world.admin)
    await page.evaluate(`{
      const every = setInterval
      globalThis.setInterval = (act, ms) => every(act, ms / 200)
    }`)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let asked = 0
    await page.route(/\/api\/v1\/.*health/, async (route) => {
      asked++
      await released
      await route.continue()
    })
    await page.getByRole('link', { name: 'Health' }).click()
    await until(() => asked > 0)
    // Six times as long as the page waits between two answers.
    await page.evaluate('new Promise((passed) => setTimeout(passed, 300))')
    expect(asked).toBe(1)
    release()
    await page.getByText('ready', { exact: true }).waitFor()
    await until(() => asked > 2)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
