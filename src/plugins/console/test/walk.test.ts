import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { drawn, settled } from '#test/console.ts'
import { describeConsole } from '#test/console-story.ts'
import { fillWithHardTexts } from '#test/hard-texts.ts'
import { until } from '#test/patience.ts'
import type { Person } from '#test/world.ts'
import type { Language } from '../browser/lib/language.ts'
import { subjects } from '../browser/subjects.ts'
import { misfitsOn, violationsOn } from './page-faults.ts'

/**
 * Every page of the console, found in the navigation and in the links of each page, in a tenant whose texts are as hard to
 * show as may be. `PICTURES=folder` keeps a picture of each.
 */
const PICTURES = process.env.PICTURES
/** The first field for text of a form that is no search. */
const TYPED =
  'main form:not([role="search"], .filter) :is(input[name]:not([type=hidden], [type=checkbox], [type=date], [type=datetime-local], [type=number]), textarea)'
const isTyped = (page: Page, text: string) =>
  page.$$eval(TYPED, (fields, text) => fields.some((field) => (field as HTMLInputElement).value.includes(text)), text)
/** Ways to leave a page. */
const WAYS: Record<string, (page: Page) => Promise<unknown>> = {
  'another subject': (page) => page.locator('nav a:not([aria-current])').first().click(),
  back: (page) => page.evaluate('history.back()'),
  reload: (page) => page.evaluate('setTimeout(() => location.reload())'),
  closing: (page) => page.evaluate(`setTimeout(() => { location.href = 'about:blank' })`),
  'signing out': async (page) => {
    await page.locator('.who').click()
    await page.getByRole('button', { name: /^(Sign out|退出登录)$/ }).click()
  },
}
const ON_ANOTHER_TAB = `(text => {
  if (text) localStorage.setItem('atrium.session', text)
  else localStorage.removeItem('atrium.session')
  dispatchEvent(new StorageEvent('storage', { key: 'atrium.session' }))
})`
const SIGN_OUT_ELSEWHERE = `{
  const text = localStorage.getItem('atrium.session');
  ${ON_ANOTHER_TAB}();
  text
}`
/** Of so many pages of one kind, such as `people/7`, one is enough. */
const kindOf = (path: string) => path.split('?')[0]!.replace(/[^/]*\d[^/]*/g, '7')

describeConsole('every page of the console', (desk) => {
  let user: Person
  beforeAll(async () => {
    user = await desk.world.givenUser(desk.tenant)
    await fillWithHardTexts(desk.world, desk.tenant, user)
  })

  /** Goes to another page without loading the console again, as a link of it does. */
  async function goTo(page: Page, path: string) {
    await page.evaluate(`history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await drawn(page)
    await settled(page)
  }

  const offeredTo = (page: Page) => linksIn(page, 'nav')
  const linksIn = (page: Page, within: 'nav' | 'main') =>
    page.$$eval(`${within} a[href^="/console/"]`, (all) =>
      all.map((link) => link.getAttribute('href')!.slice('/console/'.length)),
    )

  /** Leads a page through all that it links to, and through one of each kind. */
  async function* walk(page: Page, isWanted: (subject: string) => boolean): AsyncGenerator<string> {
    const seen = new Set<string>()
    const queue = await offeredTo(page)
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (!path || seen.has(kindOf(path)) || !isWanted(path.split(/[/?]/)[0]!)) continue
      seen.add(kindOf(path))
      await goTo(page, path)
      queue.push(...(await linksIn(page, 'main')))
      yield path
    }
    // Each subject, and one page below it where it has some: a walk that ends early proves nothing.
    const isBelow = (path: string) => [...seen].some((one) => one.startsWith(`${path}/`))
    const missing = subjects.filter(
      ({ path, below }) => isWanted(path) && !(seen.has(path) && (!below || isBelow(path))),
    )
    expect(missing.map(({ path }) => path)).toEqual([])
  }
  const isOfInstallation = (subject: string) => subjects.find(({ path }) => path === subject)?.group === 'installation'

  /**
   * Both languages, themes and widths, and not every pair of them: what axe looks at takes the time. The page is left as it
   * was opened, in the other language, in which the next one begins.
   */
  async function problemsOn(page: Page, path: string): Promise<string[]> {
    const problems: string[] = []
    const now = (await page.locator('html').getAttribute('lang')) as Language
    const look = async (language: Language, colorScheme: 'light' | 'dark', width: number, hasAxe: boolean) => {
      await page.setViewportSize({ width, height: 900 })
      await drawn(page)
      const found = [...(await misfitsOn(page)), ...(hasAxe ? await violationsOn(page) : [])]
      problems.push(...found.map((problem) => `${path} (${language}, ${colorScheme}, ${width} px): ${problem}`))
      if (PICTURES) await keep(page, `${path} ${language} ${colorScheme} ${width}`)
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await look(now, 'dark', 320, true)
    await page.emulateMedia({ colorScheme: 'light' })
    const other = now === 'en' ? 'zh-CN' : 'en'
    await page.locator('#language').selectOption(other)
    await page.locator(`html[lang=${other}]`).waitFor()
    await settled(page)
    // Each layout where it has the least room, and a usual window.
    for (const width of [320, 900, 1100, 1280]) await look(other, 'light', width, width === 1280)
    return problems
  }

  let forms = 0
  /** Types into the form of a page. @returns what was typed, nothing if there is no form */
  async function typedOn(page: Page): Promise<string | undefined> {
    const field = page.locator(TYPED).first()
    if (!(await field.count())) return undefined
    const text = `typed-${++forms}`
    await field.pressSequentially(text)
    return text
  }

  /** How a page loses what was typed: all ways are tried on the first form, and one of them on each other. */
  async function lossesOn(page: Page, path: string, text: string): Promise<string[]> {
    const losses: string[] = []
    const check = async (what: string) => {
      if (!(await isTyped(page, text))) losses.push(`${path}: ${what} loses what was typed`)
    }
    await check('another language, width or theme')
    const { browser } = desk
    browser.answer(page, false)
    const ways = Object.entries(WAYS).filter((_, at, all) => forms === 1 || at === forms % all.length)
    for (const [way, go] of ways) {
      const before = browser.questions.length
      await go(page)
      await until(() => browser.questions.length > before)
      await check(way)
    }
    const session = await page.evaluate(SIGN_OUT_ELSEWHERE)
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await page.evaluate(`${ON_ANOTHER_TAB}(${JSON.stringify(session)})`)
    await dialog.waitFor({ state: 'detached' })
    await check('the end of the session')
    browser.answer(page, true)
    return losses
  }

  test('has no violation of axe, is as wide as its window, stands still, runs no name, and loses nothing that is typed', async () => {
    const problems: string[] = []
    const { browser, tenant, world } = desk
    for (const person of [tenant.administrator, world.admin]) {
      const page = await browser.open('profile', { as: person })
      await settled(page)
      // The system administrator is led through what only they see.
      for await (const path of walk(page, (subject) => isOfInstallation(subject) === (person === world.admin))) {
        const text = await typedOn(page)
        problems.push(...(await problemsOn(page, path)))
        if (text) problems.push(...(await lossesOn(page, path, text)))
      }
      await browser.leave(page)
    }
    const page = await browser.open('')
    await settled(page)
    problems.push(...(await problemsOn(page, 'sign-in')))
    await browser.leave(page)
    expect(problems).toEqual([])
    expect(forms).toBeGreaterThan(10)
  })

  test('fits too where something opens over it', async () => {
    const page = await desk.browser.open('people', { as: desk.tenant.administrator, theme: 'dark', width: 320 })
    await settled(page)
    const problems: string[] = []
    const look = async () => problems.push(...(await misfitsOn(page)), ...(await violationsOn(page)))
    await page.getByRole('button', { name: 'Menu' }).click()
    await look()
    await page.locator('.who').click()
    await look()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('person')
    await page.getByRole('dialog').getByRole('option').nth(3).waitFor()
    await look()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('checkbox', { name: /^Choose row .*مرحبا/ }).check()
    await page.getByRole('button', { name: 'Disable (1)' }).click()
    await look()
    expect(problems).toEqual([])
    await desk.browser.leave(page)
  })

  async function keep(page: Page, name: string) {
    mkdirSync(PICTURES!, { recursive: true })
    await page.screenshot({ path: `${PICTURES}/${name.replace(/[/ ?=]+/g, '-')}.png`, fullPage: true })
  }

  test('a person with fewer rights is offered fewer pages, and reads why the others are closed', async () => {
    const page = await desk.browser.open('', { as: user })
    // The console itself goes to the first page that it offers.
    await page.locator('nav a[aria-current=page]').waitFor()
    const offered = await offeredTo(page)
    expect(offered).toContain('approvals')
    for (const { path, group, permission } of subjects) {
      if (group === 'own' || !permission) continue
      await goTo(page, path)
      const isClosed = await page.getByText('Your roles do not allow you to see this.').count()
      expect([path, isClosed === 1]).toEqual([path, !offered.includes(path)])
    }
    await desk.browser.leave(page)
  })
})
