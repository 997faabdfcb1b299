import type { Page } from 'playwright-core'

/** Types where the page has put the focus, and after Tab into each next field. */
export async function type(page: Page, ...texts: string[]): Promise<void> {
  await page.locator('input:focus, textarea:focus').waitFor()
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
}
