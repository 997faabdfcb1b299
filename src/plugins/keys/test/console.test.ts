import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeConsole } from '#test/console-story.ts'
import { type } from '#test/keyboard.ts'

describeConsole('the pages of keys', (desk) => {
  /** Goes to a link or button by the keyboard alone. */
  async function tabTo(page: Page, name: string) {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab')
      if ((await page.evaluate('document.activeElement.textContent.trim()')) === name) return
    }
    throw new Error(`The keyboard does not lead to ${name}`)
  }

  test('lead from sign-in to a key that works, by the keyboard alone, and revoke it', async () => {
    const page = await desk.browser.open('')
    await page.getByLabel('User name').waitFor()
    await type(page, 'admin', 'admin123')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()

    await page.getByRole('heading', { name: 'People' }).waitFor()
    await page.evaluate('document.activeElement.blur()')
    await tabTo(page, 'Keys')
    await page.keyboard.press('Enter')
    await page.getByText('Other systems call the API as a service account').waitFor()
    await tabTo(page, 'Add a service account')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the system').waitFor()
    await type(page, 'Invoices')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Invoices' }).waitFor()
    await page.getByText('The account has no key yet').waitFor()
    await tabTo(page, 'Make a key')
    await page.keyboard.press('Enter')
    await page.getByLabel('Name of the key').waitFor()
    await type(page, 'Production')
    await page.keyboard.press('Enter')
    const key = await page.getByRole('dialog').locator('output').innerText()
    expect(key).toMatch(/^atr_/)
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: /^Production/ }).waitFor()

    const call = () => desk.world.app.inject({ url: '/api/v1/users', headers: { authorization: `Bearer ${key}` } })
    expect((await call()).statusCode).toBe(200)
    await page.reload()
    await page.getByRole('cell', { name: /^Production/ }).waitFor()
    const kept = await page.evaluate(
      'document.documentElement.outerHTML + JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie',
    )
    expect(kept).not.toContain(key)

    await page.getByRole('button', { name: 'Revoke: Production' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('The key Production is revoked.').waitFor()
    await expect.poll(async () => (await call()).statusCode).toBe(401)
    await desk.browser.leave(page)
  })
})
