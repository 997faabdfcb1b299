import { mkdirSync } from 'node:fs'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subjects } from '../../console/subjects.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '../support/console.ts'
import { formOf } from '../support/form.ts'
import { until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/**
 * Every page of the console, found in the navigation and in the links of each page, in a tenant whose names are all markup:
 * nothing of it runs, axe finds nothing, and nothing is wider than the screen. `PICTURES=folder` keeps a picture of each.
 */
const PICTURES = process.env.PICTURES
/** Harmless to the service, which only stores it; a page that takes it for markup calls `complain`. */
const MARKUP = `<img src=x onerror="complain('a name ran')"><b>bold</b>`
/** Of so many pages of one kind, such as `people/7`, one is enough. */
/** The first field for text of a form that is no search. */
const TYPED =
  'main form:not([role="search"], .filter) :is(input[name]:not([type=checkbox], [type=date], [type=datetime-local], [type=number]), textarea)'
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
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
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
const kindOf = (path: string) => path.split('?')[0]!.replace(/[^/]*\d[^/]*/g, '7')

describe.skipIf(!hasBrowser)('every page of the console', () => {
  let world: World
  let browser: ConsoleBrowser
  let tenant: Tenant
  let user: Person
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0' } })
    tenant = await world.givenTenant()
    user = await world.givenUser(tenant)
    await fill()
    browser = await openBrowser(world)
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  /** A tenant with one of everything, whose texts are markup. */
  async function fill() {
    const boss = world.as(tenant.administrator)
    const made = async (path: string, draft: object) => (await boss.post(path, draft)).expect(201)
    const organization = (await boss.get('/organizations/current')).expect(200)
    ;(await boss.put(`/organizations/${organization.id}`, { name: MARKUP })).expect(200)
    ;(await boss.put(`/users/${user.id}`, { nickname: MARKUP, realName: MARKUP, phone: '<i>1</i>' })).expect(200)
    const role = await made('/roles', { name: MARKUP, description: MARKUP })
    const parent = await made('/departments', { name: MARKUP, code: 'A"><i>', leaderId: user.id })
    await made('/departments', { name: `2 ${MARKUP}`, code: "B'<i>", parentId: parent.id })
    await made('/invitations', { email: 'guest@example.org', note: MARKUP })
    const article = await made('/content/articles', { title: MARKUP, content: [MARKUP], status: 'published' })
    ;(await world.as(user).post(`/blog/${article.id}/comments`, { content: MARKUP })).expect(201)
    const visitor = { email: 'v@example.org', name: MARKUP, message: MARKUP }
    ;(await world.anyone.post('/public/contact', visitor, { 'x-tenant-code': tenant.code })).expect(201)
    const upload = formOf([{ filename: `${MARKUP.replaceAll('/', '')}.txt`, content: 'text' }])
    const file = (await world.as(user).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
    const project = await world.givenProject(user, { name: MARKUP })
    const task = await world.givenTask(user, project, { title: MARKUP })
    const place = { resourceType: 'task', resourceId: task.id }
    ;(await world.as(user).put(`/files/${file.key}/resource`, place)).expect(200)
    const draft = { type: 'leave', title: MARKUP, payload: MARKUP, departmentId: parent.id }
    const other = await world.givenUser(tenant)
    const request = (await world.as(other).post('/approvals', draft)).expect(201)
    const key = { 'idempotency-key': 'the-request' }
    ;(await world.as(other).post(`/approvals/${request.id}/submit`, undefined, key)).expect(200)
    await made('/service-accounts', { name: 'Robot <b>', roleIds: [role.id] })
    const features = [{ id: 1, title: MARKUP, description: MARKUP, icon: MARKUP }]
    ;(await boss.put('/content/portal/features', features)).expect(200)
  }

  /** Goes to another page without loading the console again, as a link of it does. */
  async function goTo(page: Page, path: string) {
    await page.evaluate(`history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
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
    // One page of each subject at least: a walk that ends early proves nothing.
    const missing = subjects.filter(({ path }) => isWanted(path) && !seen.has(path))
    expect(missing.map(({ path }) => path)).toEqual([])
  }
  const isOfInstallation = (subject: string) => subjects.find(({ path }) => path === subject)?.group === 'installation'

  /** The sheets of styles need no second reading (`preload`), and only violations are looked at. */
  async function violations(page: Page): Promise<string[]> {
    const found: any = await page.evaluate(`axe.run({ preload: false, resultTypes: ['violations'] })`)
    expect(found.passes.length).toBeGreaterThan(0)
    return found.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].target} ${nodes[0].html.slice(0, 160)}`)
  }

  /** Both languages, widths and themes, and not every pair of them: what axe looks at takes the time. */
  test.each([
    { language: 'en', width: 1280, theme: 'light' },
    { language: 'zh-CN', width: 390, theme: 'dark' },
  ] as const)('has no violation of axe, is not too wide, and runs no name ($language, $width px)', async (how) => {
    const problems: string[] = []
    for (const person of [tenant.administrator, world.admin]) {
      const page = await browser.open('profile', { as: person, ...how })
      await settled(page)
      await page.evaluate(axe.source)
      // The system administrator is led through what only they see.
      for await (const path of walk(page, (subject) => isOfInstallation(subject) === (person === world.admin))) {
        problems.push(...(await violations(page)).map((each) => `${path}: ${each}`))
        if (PICTURES) await keep(page, `${path} ${how.language} ${how.width} ${how.theme}`)
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(over) > 0) problems.push(`${path} is ${over} px wider than the screen`)
        if (await page.locator('main img[src="x"], main b').count()) problems.push(`${path} shows a name as markup`)
      }
      await browser.leave(page)
    }
    expect(problems).toEqual([])
  })

  async function keep(page: Page, name: string) {
    mkdirSync(PICTURES!, { recursive: true })
    await page.screenshot({ path: `${PICTURES}/${name.replace(/[/ ?=]+/g, '-')}.png`, fullPage: true })
  }

  test('nothing typed into any form is lost without a question, nor with the session', async () => {
    const problems: string[] = []
    let forms = 0
    const page = await browser.open('profile', { as: tenant.administrator })
    const check = async (what: string, text: string) => {
      if (!(await isTyped(page, text))) problems.push(`${what} loses what was typed`)
    }
    await settled(page)
    for await (const path of walk(page, (subject) => !isOfInstallation(subject))) {
      const field = page.locator(TYPED).first()
      if (!(await field.count())) continue
      forms++
      const text = `typed-${forms}`
      await field.pressSequentially(text)
      browser.answer(page, false)
      for (const [way, go] of Object.entries(WAYS)) {
        const before = browser.questions.length
        await go(page)
        await until(() => browser.questions.length > before)
        await check(`${path}: ${way}`, text)
      }
      await page.getByLabel('Language').first().selectOption('zh-CN')
      await page.getByRole('link', { name: '个人资料' }).first().waitFor()
      await check(`${path}: another language`, text)
      await page.getByLabel('语言').first().selectOption('en')
      await page.getByRole('link', { name: 'Profile' }).first().waitFor()

      const session = await page.evaluate(SIGN_OUT_ELSEWHERE)
      const dialog = page.getByRole('dialog', { name: 'Sign in again' })
      await dialog.waitFor()
      await page.evaluate(`${ON_ANOTHER_TAB}(${JSON.stringify(session)})`)
      await dialog.waitFor({ state: 'detached' })
      await check(`${path}: the end of the session`, text)
      browser.answer(page, true)
    }
    expect(problems).toEqual([])
    expect(forms).toBeGreaterThan(10)
    await browser.leave(page)
  })

  test('a person with fewer rights is offered fewer pages, and reads why the others are closed', async () => {
    const page = await browser.open('', { as: user })
    await page.getByRole('navigation').waitFor()
    const offered = await offeredTo(page)
    expect(offered).toContain('approvals')
    for (const { path, group, permission } of subjects) {
      if (group === 'own' || !permission) continue
      await goTo(page, path)
      const isClosed = await page.getByText('Your roles do not allow you to see this.').count()
      expect([path, isClosed === 1]).toEqual([path, !offered.includes(path)])
    }
    await browser.leave(page)
  })

  test('nothing was complained about, and no other host was asked', () => {
    expect(browser.complaints).toEqual([])
    expect(browser.strangers).toEqual([])
  })
})
