import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Person, World } from './world.ts'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether there is a browser; tests of the console are skipped without one. */
export const hasBrowser = existsSync(CHROMIUM)
if (!hasBrowser) console.warn(`${CHROMIUM} is not there: the tests of the console in a browser are skipped`)

/** The browser itself writes of refusals. */
const EXPECTED = /the server responded with a status of|net::ERR_/

export interface OpenOptions {
  /** who is signed in; nobody by default */
  as?: Person
  language?: 'en' | 'zh-CN'
  theme?: 'light' | 'dark'
  /** in pixels */
  width?: number
}

/** A console in a browser, which notes what it complained about and which other hosts it asked. */
export interface ConsoleBrowser {
  address: string
  open(path: string, options?: OpenOptions): Promise<Page>
  /** errors in the console of the browser, violations of the policy, scripts in names */
  complaints: string[]
  strangers: string[]
  /** what all pages together have loaded so far */
  sent: { requests: number; bytes: number }
  close(): Promise<void>
}

/**
 * Opens a browser on the service of a world, or on that of an address, such as `http://127.0.0.1:3000`.
 * @param port where the service of a world listens; by default any
 */
export async function openBrowser(service: Pick<World, 'app'> | string, port = 0): Promise<ConsoleBrowser> {
  const address = typeof service === 'string' ? service : await service.app.listen({ port, host: '127.0.0.1' })
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  })
  const complaints: string[] = []
  const strangers: string[] = []
  const sent = { requests: 0, bytes: 0 }

  async function open(path: string, { as, language = 'en', theme = 'light', width = 1280 }: OpenOptions = {}) {
    const context = await browser.newContext({
      ...{ locale: language, colorScheme: theme, reducedMotion: 'reduce' },
      viewport: { width, height: 900 },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(`${path}: ${message.text()}`)
    })
    page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`))
    page.on('dialog', (dialog) => {
      complaints.push(`${path}: a script of a name ran`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) strangers.push(request.url())
    })
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }))
      sent.requests++
      sent.bytes += responseBodySize
    })
    await page.exposeFunction('complain', (what: string) => complaints.push(`${path}: ${what}`))
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      complain('the policy forbids ' + event.violatedDirective + ' ' + event.blockedURI))`)
    await page.addInitScript(`localStorage.setItem('atrium.language', '${language}')`)
    if (as) {
      const session = JSON.stringify({ accessToken: as.token, refreshToken: 'none' })
      await page.addInitScript(`localStorage.setItem('atrium.session', ${JSON.stringify(session)})`)
    }
    await page.goto(`${address}/console/${path}`)
    return page
  }
  return { address, open, complaints, strangers, sent, close: () => browser.close() }
}

const BUSY = `!document.querySelector('main h1') || document.querySelector('main [aria-busy="true"]') !== null
  || /^(Loading…|加载中…)$/m.test(document.querySelector('main').innerText)`
const PATIENCE_MS = 60_000

/** Waits until a page has read what it shows. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  const end = Date.now() + PATIENCE_MS
  // Not by waitForFunction: the policy of the page forbids what that does.
  while (await page.evaluate(BUSY)) {
    if (Date.now() > end) throw new Error(`${page.url()} is still loading`)
    await sleep(50)
  }
}
