import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type ConsoleBrowser, hasConsole, openBrowser, settled } from './console.ts'
import { openWorld, type Person, type Tenant, type World } from './world.ts'

/** What a story on pages of the console has at hand: a tenant, the page that is open, and what a person does on it. */
export interface Desk {
  world: World
  browser: ConsoleBrowser
  tenant: Tenant
  /** the one that was opened last */
  page: Page
  /** Opens a page in place of the one before. @param as the administrator of the tenant by default */
  open(path: string, as?: Person): Promise<Page>
  press(name: string): Promise<void>
  /** Answers a question with the button of this name. */
  confirm(name: string): Promise<void>
  says(text: string): Promise<void>
  label(text: string): Locator
}

/** Stories of pages in a browser, which complains about nothing meanwhile; skipped without one, and without the console. */
export function describeConsole(title: string, tell: (desk: Desk) => void): void {
  describe.skipIf(!hasConsole)(title, () => {
    const desk = {
      async open(path, as = desk.tenant.administrator) {
        if (desk.page) await desk.browser.leave(desk.page)
        desk.page = await desk.browser.open(path, { as })
        await settled(desk.page)
        return desk.page
      },
      press: (name) => desk.page.getByRole('button', { name, exact: true }).click(),
      confirm: (name) => desk.page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
      says: (text) => desk.page.getByRole('status').getByText(text).waitFor(),
      label: (text) => desk.page.getByLabel(text, { exact: true }),
    } as Desk
    beforeAll(async () => {
      desk.world = await openWorld({ env: { RATE_LIMIT: '0' } })
      desk.tenant = await desk.world.givenTenant()
      desk.browser = await openBrowser(desk.world)
    })
    afterAll(async () => {
      expect(desk.browser?.complaints).toEqual([])
      expect(desk.browser?.strangers).toEqual([])
      await desk.browser?.close()
      await desk.world?.close()
    })
    tell(desk)
  })
}
