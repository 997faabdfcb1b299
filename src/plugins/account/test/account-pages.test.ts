import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, sharedBrowser } from '../../../../test/support/console.ts'
import { type } from '../../../../test/support/keyboard.ts'
import { nthMailTo } from '../../../../test/support/links.ts'
import { PATIENCE_MS } from '../../../../test/support/patience.ts'
import { openWorld, type Tenant, type World } from '../../../../test/support/world.ts'
import { hashPassword } from '../../../domains/people/passwords.ts'

/** The pages that mailed links lead to, in a real browser, with nothing but this service to talk to. */
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** The browser itself writes of refusals, and of the request that a test aborts. */
const EXPECTED = /the server responded with a status of|net::ERR_FAILED/
const OLD = 'a long and winding road'
const NEW = 'another long and winding road'
/** A folder for pictures of each page, to be looked at. */
const PICTURES = process.env.PICTURES

test('the pages may run only their own script and style, and nobody keeps or frames them', async () => {
  const world = await openWorld()
  try {
    for (const page of ['invitation', 'password', 'email']) {
      const { statusCode, headers, body } = await world.app.inject(`/account/${page}`)
      expect(statusCode).toBe(200)
      expect(headers).toMatchObject({
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        vary: /Accept-Language/,
      })
      expect(body).not.toMatch(/<script>|<style|style=|onclick/)
    }
    for (const [file, type] of Object.entries({ 'page.js': /javascript/, 'page.css': /css/ })) {
      const { statusCode, headers } = await world.app.inject(`/account/${file}`)
      expect(statusCode).toBe(200)
      expect(headers['content-type']).toMatch(type)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
    for (const hidden of ['en.json', 'page-html.ts', 'nothing', ''])
      expect((await world.app.inject(`/account/${hidden}`)).statusCode).toBe(404)
    const chinese = await world.app.inject({ url: '/account/email', headers: { 'accept-language': 'zh-TW' } })
    expect(chinese.body).toContain('<html lang="zh-CN">')
    expect((await world.app.inject('/account/email?lang=zh-CN')).body).toContain('<html lang="zh-CN">')
    expect((await world.app.inject('/account/email?lang="><script>')).body).toContain('<html lang="en">')
  } finally {
    await world.close()
  }
})

test('a front end with pages of its own gets the links, and the service serves none', async () => {
  const world = await openWorld({ env: { ACCOUNT_URL: 'https://app.example/me' } })
  try {
    expect((await world.app.inject('/account/email')).statusCode).toBe(404)
    const draft = { email: 'guest@example.com' }
    const { acceptUrl } = (await world.as(world.admin).post('/invitations', draft)).expect(201)
    expect(acceptUrl).toMatch(/^https:\/\/app\.example\/me\/invitation#token=1\./)
  } finally {
    await world.close()
  }
})

describe.skipIf(!hasBrowser)('the account pages', () => {
  let world: World
  let tenant: Tenant
  let address: string
  let page: Page
  let counter = 0
  const complaints: string[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    world = await openWorld()
    tenant = await world.givenTenant()
    address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    page = await (await sharedBrowser()).newPage({ viewport: DESK, locale: 'en-US' })
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) strangers.push(request.url())
      if (request.url().includes('token')) strangers.push(request.url())
    })
  })
  beforeEach(() => page.goto('about:blank'))
  afterAll(async () => {
    await page?.close()
    await world?.close()
  })

  const open = (link: string) => page.goto(link.replace(/^https?:\/\/[^/]+/, address))
  async function invite() {
    const draft = { email: `guest-${++counter}@example.com` }
    return (await world.as(tenant.administrator).post('/invitations', draft)).expect(201)
  }
  async function givenPerson() {
    const person = await world.givenUser(tenant)
    const email = `person-${++counter}@example.com`
    const row = [await hashPassword(OLD), email, person.id]
    await world.look.rows('update users set password_hash = $1, email = $2, email_key = lower($2) where id = $3', row)
    return { ...person, email }
  }
  async function login(username: string, password: string) {
    return world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
  }

  test('an invitation is accepted with the keyboard alone', async () => {
    const { acceptUrl, email } = await invite()
    await open(acceptUrl)
    await page.getByText(`boss invites ${email} to join ${tenant.code}.`).waitFor()
    await page.locator('[name="username"]:focus').waitFor()
    await type(page, 'grace', 'Grace', NEW)
    await page.keyboard.press('Enter')
    const done = page.getByRole('status').filter({ hasText: 'Welcome' })
    await done.waitFor()
    expect(await done.innerText()).toContain(`grace, in the tenant ${tenant.code}`)
    ;(await login('grace', NEW)).expect(200)
    const opened = await world.look.rows(
      "select 1 from sessions join users on users.tenant_id = sessions.tenant_id and users.id = user_id where username = 'grace'",
    )
    expect(opened).toHaveLength(1)
  })

  test('what is refused is said in words, at the field, and can be corrected', async () => {
    const { acceptUrl } = await invite()
    await open(acceptUrl)
    await page.getByLabel('User name').fill('boss')
    await page.getByLabel('Password', { exact: true }).fill(NEW)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('alert').filter({ hasText: 'This user name is taken' }).waitFor()
    await page.getByLabel('User name').fill('hopper')
    await page.getByLabel('Password', { exact: true }).fill('password')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('alert').filter({ hasText: 'tried first' }).waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Show the password').check()
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
    await page.getByLabel('Password', { exact: true }).fill(NEW)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('status').filter({ hasText: 'Welcome' }).waitFor()
  })

  test('a forgotten password is replaced, and its link works once', async () => {
    const { username, email } = await givenPerson()
    ;(await world.anyone.post('/auth/password-resets', { username, tenantCode: tenant.code })).expect(200)
    const { link } = await nthMailTo(world, email)
    await open(link)
    await page.getByLabel('New password').fill(NEW)
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByRole('status').filter({ hasText: 'Your password was changed' }).waitFor()
    ;(await login(username, NEW)).expect(200)
    await page.reload()
    await page.getByLabel('New password').fill('a third long and winding road')
    await page.getByRole('button', { name: 'Save the password' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be used any more' }).waitFor()
  })

  test('an address is confirmed with a click, in the other language, which keeps the link', async () => {
    const person = await givenPerson()
    const email = `new-${++counter}@example.com`
    ;(await world.as(person).put('/users/me', { email, currentPassword: OLD })).expect(200)
    await open((await nthMailTo(world, email)).link)
    await page.getByRole('link', { name: '中文' }).click()
    await page.getByRole('button', { name: '确认邮箱' }).click()
    await page.getByRole('status').filter({ hasText: '邮箱地址已确认' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
    expect((await world.as(person).get('/users/me')).expect(200)).toMatchObject({ email, emailVerified: true })
  })

  test('a link that is dead or cut off says so, in the language of the page', async () => {
    await open(`${address}/account/invitation?lang=zh-CN#token=1.${'A'.repeat(43)}`)
    await page.getByRole('alert').filter({ hasText: '该邀请已失效' }).waitFor()
    expect(await page.locator('form').isVisible()).toBe(false)
    await open(`${address}/account/password`)
    await page.getByRole('alert').filter({ hasText: 'This link is incomplete' }).waitFor()
  })

  test('a service that is away is said, and the form stays', async () => {
    const { acceptUrl } = await invite()
    await open(acceptUrl)
    await page.getByLabel('User name').fill('lovelace')
    await page.getByLabel('Password', { exact: true }).fill(NEW)
    await page.route('**/accept', (route) => route.abort())
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor()
    await page.unroute('**/accept')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('status').filter({ hasText: 'Welcome' }).waitFor()
  })

  test.each(['light', 'dark'] as const)('they fit a phone, and can be read, in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    for (const [name, size] of Object.entries({ phone: PHONE, desk: DESK })) {
      await page.setViewportSize(size)
      const { acceptUrl } = await invite()
      const links = {
        invitation: acceptUrl,
        password: `${address}/account/password?lang=zh-CN#token=x`,
        email: `${address}/account/email#token=x`,
      }
      for (const [kind, link] of Object.entries(links)) {
        await page.goto('about:blank')
        await open(link)
        await page.locator('button').waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.width)
        for (const box of await page.locator('button, input, a').all())
          expect((await box.boundingBox())!.height).toBeGreaterThanOrEqual(20)
        expect(await leastContrast()).toBeGreaterThanOrEqual(4.5)
        if (PICTURES) await page.screenshot({ path: join(PICTURES, `${kind}-${name}-${colorScheme}.png`) })
      }
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('they have asked nobody but this service, never sent the token in an address, and kept to their policy', () => {
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })

  /** Of all text that is shown, the least contrast with its ground (WCAG 2.2, 1.4.3). */
  function leastContrast(): Promise<number> {
    return page.evaluate(() => {
      const light = ([r, g, b]: number[]) => {
        const [R, G, B] = [r!, g!, b!].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * R! + 0.7152 * G! + 0.0722 * B!
      }
      const document = (globalThis as any).document
      const styleOf = (globalThis as any).getComputedStyle
      const numbers = (color: string) => color.match(/[\d.]+/g)!.map(Number)
      const groundOf = (element: any): number[] => {
        const color = numbers(styleOf(element).backgroundColor)
        return color.length === 4 && color[3] === 0 ? groundOf(element.parentElement) : color
      }
      const shown = [...document.querySelectorAll('h1, p, label, a, button')].filter(
        (one: any) => one.innerText && one.checkVisibility(),
      )
      return Math.min(
        ...shown.map((one: any) => {
          const [a, b] = [light(numbers(styleOf(one).color)), light(groundOf(one))]
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
        }),
      )
    })
  }
})
