import { gunzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testConfig } from '#test/config.ts'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '#test/console.ts'
import { type } from '#test/keyboard.ts'
import { until } from '#test/patience.ts'
import { buildOffline } from '#test/routes.ts'
import { openWorld, type World } from '#test/world.ts'

/** The console: what is served, then the pages in a real browser. */
const MOST_BYTES = 42_000
const MOST_REQUESTS = 33

describe('what is served', () => {
  let app: Awaited<ReturnType<typeof buildOffline>>
  beforeAll(async () => {
    app = await buildOffline()
  })
  afterAll(() => app.close())

  test('the page answers at every address below /console/ that is no file, and a missing file is a 404', async () => {
    expect((await app.inject('/console')).headers.location).toBe('console/')
    for (const path of ['', 'people/7', 'nothing-of-this-name']) {
      const page = await app.inject(`/console/${path}`)
      expect(page.statusCode, path).toBe(200)
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'content-encoding': 'gzip',
      })
      const again = await app.inject({ url: '/console/', headers: { 'if-none-match': String(page.headers.etag) } })
      expect(again).toMatchObject({ statusCode: 304, body: '' })
    }
    for (const path of ['nothing.js', 'assets/', 'assets/package.json', 'assets/../../package.json'])
      expect((await app.inject(`/console/${path}`)).statusCode, `missing ${path}`).toBe(404)
  })

  test('the page names every module that it needs at first, so that the browser does not find them one after another', async () => {
    const textOf = async (url: string) => gunzipSync((await app.inject(url)).rawPayload).toString()
    const page = await textOf('/console/')
    const named = [...page.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, href]) => href!)
    expect(named).toContain('/console/assets/console/start.ts')
    for (const address of named)
      for (const [, name] of (await textOf(address)).matchAll(/\bfrom ?['"]([./][^'"]+)['"]/g))
        expect(named).toContain(new URL(name!, `http://any${address}`).pathname)
  })

  test('a browser that asks for / is led to it, and a program gets a 404', async () => {
    const page = await app.inject({ url: '/', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect(page).toMatchObject({ statusCode: 302, headers: expect.objectContaining({ location: 'console/' }) })
    const program = await app.inject({ url: '/', headers: { accept: '*/*' } })
    expect(program.json().error.type).toBe('ROUTE_NOT_FOUND')
  })

  test('production serves it only if it is told to', async () => {
    const production = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://nobody@nowhere.invalid/nothing',
      CORS_ORIGINS: 'https://app.example',
      ADMIN_PASSWORD: 'of the first start',
      JWT_SECRET: 'a-secret-of-the-tests-that-nobody-else-has',
    }
    for (const [asked, status] of [
      [{}, 404],
      [{ CONSOLE: 'true' }, 200],
      [{ CONSOLE: 'true', PLUGINS: 'none' }, 404],
    ] as const) {
      const service = await buildOffline(testConfig({ ...production, ...asked }))
      for (const url of ['/console/people', '/console/assets/console/start.ts'])
        expect((await service.inject(url)).statusCode, url).toBe(status)
      await service.close()
    }
  })
})

describe.skipIf(!hasBrowser)('in a browser', () => {
  let world: World
  let browser: ConsoleBrowser

  beforeAll(async () => {
    world = await openWorld()
    browser = await openBrowser(world)
  })
  afterAll(async () => {
    await browser?.close()
    await world.close()
  })

  async function signIn(page: Page) {
    await page.getByLabel('User name').fill('admin')
    await page.getByLabel('Password').fill('admin123')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()
  }

  test('the first view is small, the keyboard signs in, and session and language stay', async () => {
    const { sent } = browser
    const page = await browser.open('')
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(sent.requests).toBeLessThanOrEqual(MOST_REQUESTS)
    expect(sent.bytes).toBeLessThanOrEqual(MOST_BYTES)

    await type(page, 'admin', 'wrong password')
    await page.keyboard.press('Enter')
    await page.getByText('The user name or the password is wrong').waitFor()
    await signIn(page)
    await page.reload()
    await page.locator('nav a[aria-current=page]', { hasText: 'People' }).waitFor()

    await page.getByLabel('Language').selectOption('zh-CN')
    await page.getByRole('button', { name: 'admin' }).click()
    await page.getByRole('button', { name: '退出登录', exact: true }).click()
    await page.getByRole('button', { name: '登录' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).not.toContain('Token')
    await browser.leave(page)
  })

  test('a session that has ended elsewhere is continued over the page, and the deed goes on; another person gets a clean page', async () => {
    const page = await browser.open('people/new')
    await signIn(page)
    const add = page.getByRole('button', { name: 'Add', exact: true })
    const again = page.getByRole('dialog', { name: 'Sign in again' })
    const endSession = async () => {
      // What the page still reads would ask who this is before the deed does.
      await settled(page)
      const { accessToken } = JSON.parse(String(await page.evaluate(`localStorage.getItem('atrium.session')`)))
      ;(await world.as({ ...world.admin, token: accessToken }).post('/auth/logout')).expect(200)
    }
    await page.getByLabel('User name').fill('marie')
    await page.getByLabel('Password').fill('a password of many')
    await endSession()
    await add.click()
    await again.getByText('Everything on this page is kept.').waitFor()
    expect(await again.getByLabel('User name').inputValue()).toBe('admin')
    await again.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await again.getByText('The user name or the password is wrong').waitFor()
    await again.getByLabel('Password').fill('admin123')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'marie' }).waitFor()

    await page.getByLabel('Real name').fill('Marie Curie')
    await endSession()
    await page.getByRole('button', { name: 'Save' }).click()
    await again.getByLabel('User name').fill('marie')
    await again.getByLabel('Password').fill('a password of many')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'marie' }).waitFor()
    expect(await page.getByLabel('Real name').count()).toBe(0)
    await browser.leave(page)
  })

  test('a session whose tenant was disabled ends with the reason, and the page of sign-in is there', async () => {
    const tenant = await world.givenTenant()
    const page = await browser.open('people', { as: tenant.administrator })
    await page.getByRole('heading', { name: 'People' }).waitFor()
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    await page.reload()
    await page.getByRole('alert').getByText('This tenant is disabled').waitFor()
    await signIn(page)
    await browser.leave(page)
  })

  test('a page whose module does not come, as during a short restart, is there when the service is back', async () => {
    const page = await browser.open('people', { as: world.admin })
    await settled(page)
    let refused = 0
    await page.route('**/pages/departments.ts', (route) => {
      refused++
      return route.abort()
    })
    await page.getByRole('link', { name: 'Departments' }).click()
    await until(() => refused > 0)
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Departments' }).waitFor()
    await browser.leave(page)
  })

  test('nothing was complained about, and no other host was asked', () => {
    expect(browser.complaints).toEqual([])
    expect(browser.strangers).toEqual([])
  })
})
