import { type Browser, type BrowserContext, chromium, type Page, type Request, type Response } from 'playwright-core'
import { PATIENCE_MS, SLOWNESS, until } from './patience.ts'
import { isHere } from './plugins.ts'
import { findProgram } from './programs.ts'
import type { Person, World } from './world.ts'

/** Whether there is a browser; tests of pages are skipped without one. */
export const hasBrowser = findProgram('chromium') !== undefined
/** Whether there is a browser for the console; tests of what plug-ins add to it are skipped without. */
export const hasConsole = hasBrowser && isHere('console')
export const CHROMIUM = findProgram('chromium') ?? ''

/** The browser itself writes of refusals. */
const EXPECTED = /the server responded with a status of|net::ERR_/

let launched: Promise<Browser> | undefined

/** The one browser of this process, for all files; it ends with the process. Close the contexts, not the browser. */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await launched?.catch(() => undefined))?.isConnected())
    launched = launchBrowser('--disable-quic', '--disable-dev-shm-usage')
  return launched!
}

/** A browser with these flags. */
export const launchBrowser = (...flags: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', ...flags],
    timeout: Math.max(180_000, PATIENCE_MS),
  })

interface Watch {
  /** of the service */
  address: string
  complain(what: string): unknown
  /** the addresses that it asks besides */
  strangers: string[]
  /** what its console may say */
  expected?: RegExp
}

/** Hears what a page complains about and whom it asks, and is patient with it. */
export function watch(page: Page, { address, complain, strangers, expected = EXPECTED }: Watch): void {
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) complain(message.text())
  })
  page.on('pageerror', (error) => complain(error.message))
  page.on('request', (request) => {
    if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) strangers.push(request.url())
  })
}

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
  /** Gives a page back, without what it has stored. One that is opened again costs a quarter of a new one. */
  leave(page: Page): Promise<void>
  /** errors in the console of the browser, violations of the policy, scripts in names */
  complaints: string[]
  /** From now on every question of a page is answered so, and noted; before that, none is expected. */
  answer(page: Page, isYes: boolean): void
  /** what pages have asked before something typed was lost */
  questions: string[]
  strangers: string[]
  /** what all pages together have loaded so far, without the question whether the service is there */
  sent: { requests: number; bytes: number }
  close(): Promise<void>
}

/** A page of its own context, and what was opened on it. */
interface Tab {
  page: Page
  of: string
  path: string
  isFree: boolean
  answer?: boolean | undefined
  begins?: { dispose(): Promise<void> }
}

/**
 * Opens a browser on the service of a world, or on that of an address, such as `http://127.0.0.1:3000`.
 * @param port where the service of a world listens; by default any
 */
export async function openBrowser(service: Pick<World, 'app'> | string, port = 0): Promise<ConsoleBrowser> {
  const address = typeof service === 'string' ? service : await service.app.listen({ port, host: '127.0.0.1' })
  const browser = await sharedBrowser()
  const tabs: Tab[] = []
  const complaints: string[] = []
  const strangers: string[] = []
  const questions: string[] = []
  const sent = { requests: 0, bytes: 0 }

  async function open(path: string, { as, language = 'en', theme = 'light', width = 1280 }: OpenOptions = {}) {
    const of = `${language} ${theme} ${width}`
    let tab = tabs.find((one) => one.isFree && one.of === of)
    if (!tab) {
      const context = await browser.newContext({
        ...{ locale: language, colorScheme: theme, reducedMotion: 'reduce' },
        viewport: { width, height: 900 },
      })
      tab = await newTab(context, of)
      tabs.push(tab)
    }
    Object.assign(tab, { path, isFree: false })
    const session = as && JSON.stringify({ accessToken: as.token, refreshToken: 'none' })
    const stored = Object.entries({ language, session }).filter(([, value]) => value !== undefined)
    tab.begins = await tab.page.addInitScript(`if (!sessionStorage.hasBegun) {
      sessionStorage.hasBegun = true
      for (const [name, value] of ${JSON.stringify(stored)}) localStorage.setItem('atrium.' + name, value)
    }`)
    await tab.page.goto(`${address}/console/${path}`)
    return tab.page
  }

  async function newTab(context: BrowserContext, of: string): Promise<Tab> {
    const page = await context.newPage()
    const tab: Tab = { page, of, path: '', isFree: false }
    const complain = (what: string) => complaints.push(`${tab.path}: ${what}`)
    watch(page, { address, complain, strangers })
    page.on('dialog', (dialog) => {
      if (tab.answer === undefined) complain(`asked "${dialog.message()}"`)
      else questions.push(dialog.message() || dialog.type())
      void (tab.answer ? dialog.accept() : dialog.dismiss())
    })
    page.on('requestfinished', async (request) => {
      if (request.url().endsWith('/livez')) return
      const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }))
      sent.requests++
      sent.bytes += responseBodySize
    })
    await page.exposeFunction('complain', complain)
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
      complain('the policy forbids ' + event.violatedDirective + ' ' + event.blockedURI))`)
    if (SLOWNESS > 1) await page.addInitScript(LONGER)
    return tab
  }

  async function leave(page: Page) {
    const tab = tabs.find((one) => one.page === page && !one.isFree)
    if (!tab) return
    tab.answer = true
    await tab.begins?.dispose()
    await page.unrouteAll()
    await page.evaluate('localStorage.clear(), sessionStorage.clear()')
    await page.goto('about:blank')
    await page.context().clearCookies()
    Object.assign(tab, { isFree: true, answer: undefined })
  }

  return {
    ...{ address, open, leave, complaints, questions, strangers, sent },
    answer(page, isYes) {
      tabs.find((one) => one.page === page)!.answer = isYes
    },
    async close() {
      await Promise.all(tabs.map(({ page }) => page.context().close()))
    },
  }
}

/** What pages allow others to take, and themselves to be read in: the more, the slower the machine is. A minute is enough. */
const LONGER = `{
  const { setTimeout: later } = globalThis
  const limit = AbortSignal.timeout.bind(AbortSignal)
  const longer = (ms) => ms >= 5000 && ms < 60000 ? ms * ${SLOWNESS} : ms
  globalThis.setTimeout = (act, ms, ...words) => later(act, longer(ms), ...words)
  AbortSignal.timeout = (ms) => limit(longer(ms))
}`

const BUSY = `!document.querySelector('main h1') || document.querySelector('main [aria-busy="true"]') !== null
  || /^(Loading…|加载中…)$/m.test(document.querySelector('main').innerText)`

/** Waits until a page has read what it shows. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  // Not by waitForFunction: the policy of the page forbids what that does.
  await until(async () => !(await page.evaluate(BUSY)))
}

/** Waits until a page has drawn what it has. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')

/**
 * Holds the answers of an address back.
 * @param method of the requests that are held; by default any
 * @returns lets them come, and resolves with the first one when the page has drawn what it makes of it
 */
export async function hold(page: Page, address: RegExp, method?: string): Promise<() => Promise<Response>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const isHeld = (request: Request) => address.test(request.url()) && (!method || request.method() === method)
  await page.route(address, async (route) => {
    if (isHeld(route.request())) await released
    await route.fallback()
  })
  return async () => {
    const answered = page.waitForResponse((response) => isHeld(response.request()))
    release()
    const answer = await answered
    await answer.finished()
    await drawn(page)
    await page.unroute(address)
    return answer
  }
}

/**
 * The patience of a page ends with a request: when it is sent, or when the headers of its answer are there.
 * @param path what its address holds
 */
export const endPatience = (page: Page, path: string, at: 'request' | 'headers'): Promise<unknown> =>
  page.evaluate(`{
    const { fetch: ask, setTimeout: later, clearTimeout: forget } = globalThis
    const limits = new Map()
    const end = () => limits.forEach((act) => act())
    globalThis.setTimeout = (act, ms) => {
      const timer = later(act, ms)
      if (ms >= 5000) limits.set(timer, act)
      return timer
    }
    globalThis.clearTimeout = (timer) => {
      limits.delete(timer)
      forget(timer)
    }
    AbortSignal.timeout = (ms) => {
      const limit = new AbortController()
      setTimeout(() => limit.abort(), ms)
      return limit.signal
    }
    globalThis.fetch = async (url, init) => {
      const isIt = String(url).includes('${path}')
      if (isIt && ${at === 'request'}) end()
      const answer = await ask(url, init)
      if (isIt && ${at === 'headers'}) later(end)
      return answer
    }
  }`)
