import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser, sharedBrowser, watch } from '#test/console.ts'
import { type } from '#test/keyboard.ts'
import { LOOK } from '#test/legible.ts'
import { nthMailTo } from '#test/links.ts'
import { isHere } from '#test/plugins.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { openWorld, type Tenant, type World } from '#test/world.ts'

/** The pages that mailed links lead to, in a real browser, with nothing but this service to talk to. */
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 360, height: 740 }
/** The browser itself writes of refusals, and of the request that a test aborts. */
const EXPECTED = /the server responded with a status of|net::ERR_FAILED/
const hasInvitations = isHere('invitations')
const OLD = 'a long and winding road'
const NEW = 'another long and winding road'

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
    watch(page, { address, complain: (what) => complaints.push(what), strangers, expected: EXPECTED })
    page.on('request', (request) => {
      if (request.url().includes('token')) strangers.push(request.url())
    })
  })
  beforeEach(() => page.goto('about:blank'))
  afterAll(() => page?.close())

  const open = (link: string) => page.goto(link.replace(/^https?:\/\/[^/]+/, address))
  async function invite() {
    const draft = { email: `guest-${++counter}@example.com` }
    return (await world.as(tenant.administrator).post('/invitations', draft)).expect(201)
  }
  async function givenPerson() {
    const email = `person-${++counter}@example.com`
    return { ...(await givenPassword(world, await world.givenUser(tenant), OLD, email)), email }
  }
  const login = (username: string, password: string) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
  const press = (name: string) => page.getByRole('button', { name }).click()
  const told = (role: 'alert' | 'status', hasText: string) => page.getByRole(role).filter({ hasText }).waitFor()

  test.skipIf(!hasInvitations)('an invitation is accepted with the keyboard alone', async () => {
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
  })

  test.skipIf(!hasInvitations)(
    'what is refused, or a service that is away, is said in words, and the form stays and can be sent again',
    async () => {
      const { acceptUrl } = await invite()
      await open(acceptUrl)
      await fill('User name', 'boss')
      await fill('Password', NEW)
      await press('Join')
      await told('alert', 'This user name is taken')
      await fill('User name', 'hopper')
      await fill('Password', 'password')
      await press('Join')
      await told('alert', 'tried first')
      expect(await page.evaluate('document.activeElement.name')).toBe('password')
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Show the password').check()
      expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
      await fill('Password', NEW)
      await page.route('**/accept', (route) => route.abort())
      await press('Join')
      await told('alert', 'cannot be reached')
      await page.unroute('**/accept')
      await press('Join')
      await told('status', 'Welcome')
    },
  )

  test('a forgotten password is replaced, and its link works once', async () => {
    const { username, email } = await givenPerson()
    ;(await world.anyone.post('/auth/password-resets', { username, tenantCode: tenant.code })).expect(200)
    const { link } = await nthMailTo(world, email)
    await open(link)
    await fill('New password', NEW)
    await press('Save the password')
    await told('status', 'Your password was changed')
    ;(await login(username, NEW)).expect(200)
    await page.reload()
    await fill('New password', 'a third long and winding road')
    await press('Save the password')
    await told('alert', 'cannot be used any more')
  })

  test('an address is confirmed with a click, in the other language, which keeps the link', async () => {
    const person = await givenPerson()
    const email = `new-${++counter}@example.com`
    ;(await world.as(person).put('/users/me', { email, currentPassword: OLD })).expect(200)
    await open((await nthMailTo(world, email)).link)
    await page.getByRole('link', { name: '中文' }).click()
    await press('确认邮箱')
    await told('status', '邮箱地址已确认')
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-CN')
    expect((await world.as(person).get('/users/me')).expect(200)).toMatchObject({ email, emailVerified: true })
  })

  test('a link that is dead or cut off says so, in the language of the page', async () => {
    if (hasInvitations) {
      await open(`${address}/account/invitation?lang=zh-CN#token=1.${'A'.repeat(43)}`)
      await told('alert', '该邀请已失效')
      expect(await page.locator('form').isVisible()).toBe(false)
    }
    await open(`${address}/account/password`)
    await told('alert', 'This link is incomplete')
  })

  test.each([
    ['light', PHONE],
    ['dark', DESK],
  ] as const)('they fit the screen, and can be read, in %s', async (colorScheme, size) => {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    const pages = ['password?lang=zh-CN', 'email'].map((page) => `${address}/account/${page}#token=x`)
    const links = [...(hasInvitations ? [(await invite()).acceptUrl] : []), ...pages]
    for (const link of links) {
      await page.goto('about:blank')
      await open(link)
      await page.locator('button').waitFor()
      expect(await page.evaluate(LOOK)).toEqual({ overflow: 0, faint: [], small: [] })
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })

  test('they have asked nobody but this service, never sent the token in an address, and kept to their policy', () => {
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })
})
