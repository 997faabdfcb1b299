import { mkdirSync } from 'node:fs'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { subjects } from '../../console/subjects.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '../support/console.ts'
import { formOf } from '../support/form.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/**
 * Every page of the console, found in the navigation and in the links of each page, in a tenant whose names are all markup:
 * nothing of it runs, axe finds nothing, and nothing is wider than the screen. `PICTURES=folder` keeps a picture of each.
 */
const PICTURES = process.env.PICTURES
/** Harmless to the service, which only stores it; a page that takes it for markup calls `complain`. */
const MARKUP = `<img src=x onerror="complain('a name ran')"><b>bold</b>`
/** Of so many pages of one kind, such as `people/7`, one is enough. */
const kindOf = (path: string) => path.split('?')[0]!.replace(/[^/]*\d[^/]*/g, '7')

describe.skipIf(!hasBrowser)('every page of the console', { timeout: 1_200_000 }, () => {
  let world: World
  let browser: ConsoleBrowser
  let tenant: Tenant
  let user: Person
  const paths = new Map<Person, string[]>()
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0' } })
    tenant = await world.givenTenant()
    user = await world.givenUser(tenant)
    await fill()
    browser = await openBrowser(world)
  }, 120_000)
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

  /** The pages that a person is offered, and one of each kind that these link to. */
  async function pathsFor(person: Person): Promise<string[]> {
    const page = await browser.open('', { as: person })
    const seen = new Map<string, string>()
    const links = async (within: string) =>
      page.$$eval(`${within} a[href^="/console/"]`, (all) =>
        all.map((link) => link.getAttribute('href')!.slice('/console/'.length)),
      )
    await page.getByRole('navigation').waitFor()
    const queue = await links('nav')
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (!path || seen.has(kindOf(path))) continue
      seen.set(kindOf(path), path)
      await page.goto(`${browser.address}/console/${path}`)
      await settled(page)
      queue.push(...(await links('main')))
    }
    await page.context().close()
    return [...seen.values()]
  }

  /** In the dark, only the colours are other ones. */
  async function violations(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
    const what = theme === 'light' ? '{}' : '{ runOnly: ["color-contrast"] }'
    if (theme === 'light') await page.evaluate(axe.source)
    const found: any = await page.evaluate(`axe.run(${what})`)
    expect(found.passes.length).toBeGreaterThan(0)
    return found.violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].target} ${nodes[0].html.slice(0, 160)}`)
  }

  test.each([
    { language: 'en', width: 1280 },
    { language: 'zh-CN', width: 390 },
  ] as const)('has no violation of axe, is not too wide, and runs no name ($language, $width px)', async (how) => {
    const problems: string[] = []
    for (const person of [tenant.administrator, world.admin]) {
      const isOurs = person === tenant.administrator
      for (const path of paths.get(person) ?? paths.set(person, await pathsFor(person)).get(person)!) {
        const subject = path.split('/')[0]
        // The system administrator is walked through what only they see.
        if (!isOurs && subjects.find((one) => one.path === subject)?.group !== 'installation') continue
        const page = await browser.open(path, { as: person, ...how })
        await settled(page)
        for (const theme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: theme })
          problems.push(...(await violations(page, theme)).map((each) => `${path} (${theme}): ${each}`))
          if (PICTURES) await keep(page, `${path} ${how.language} ${how.width} ${theme}`)
        }
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(over) > 0) problems.push(`${path} is ${over} px wider than the screen`)
        if (await page.locator('main img[src="x"], main b').count()) problems.push(`${path} shows a name as markup`)
        await page.context().close()
      }
    }
    expect(problems).toEqual([])
  })

  async function keep(page: Page, name: string) {
    mkdirSync(PICTURES!, { recursive: true })
    await page.screenshot({ path: `${PICTURES}/${name.replace(/[/ ?=]+/g, '-')}.png`, fullPage: true })
  }

  test('a person with fewer rights is offered fewer pages, and reads why the others are closed', async () => {
    const paths = await pathsFor(user)
    const offered = new Set(paths.map((path) => path.split('/')[0]))
    expect(offered).toContain('approvals')
    for (const { path, group, permission } of subjects) {
      if (group === 'own' || !permission) continue
      const page = await browser.open(path, { as: user })
      await page.locator('main h1').waitFor()
      const isClosed = await page.getByText('Your roles do not allow you to see this.').count()
      expect([path, isClosed === 1]).toEqual([path, !offered.has(path)])
      await page.context().close()
    }
  })

  test('nothing was complained about, and no other host was asked', () => {
    expect(browser.complaints).toEqual([])
    expect(browser.strangers).toEqual([])
  })
})
