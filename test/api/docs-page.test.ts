import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, sharedBrowser, watch } from '../support/console.ts'
import { openWorld, type World } from '../support/world.ts'

/** The documentation page in a real browser, over plain HTTP and with nothing but this service to talk to. */
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The browser itself writes of refusals, and the page of requests that were left. */
const EXPECTED = /the server responded with a status of|The request has been cancelled/
/** Not those of the sidebar, which send messages. */
const SEND = /^Send($| \w+ request)/

/** The operations that are tried. */
const TRIED = [
  'post /api/v1/auth/login',
  'get /api/v1/auth/me',
  'get /api/v1/projects',
  'post /api/v1/projects',
  'put /api/v1/projects/{id}',
  'get /api/v1/projects/{id}/tasks',
  'get /api/v1/public/home',
]

describe.skipIf(!hasBrowser)('the documentation page', () => {
  let world: World
  let address: string
  let page: Page
  /** the document that the page shows */
  let document: any
  /** what the page complained about, and what it requested besides this service */
  const complaints: string[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    world = await openWorld()
    address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    document = JSON.parse((await world.app.inject('/openapi.json')).body)
    page = await (await sharedBrowser()).newPage({ viewport: DESK, reducedMotion: 'reduce' })
    watch(page, { address, complain: (what) => complaints.push(what), strangers, expected: EXPECTED })
    await page.goto(`${address}/docs/`)
  })
  afterAll(async () => {
    await page?.close()
    await world?.close()
  })

  test('shows every group of operations', async () => {
    await page.waitForSelector('text=One HTTP service')
    expect(page.url()).toBe(`${address}/docs/`)
    const groups: { name: string }[] = document.tags
    expect(groups.length).toBeGreaterThan(15)
    for (const { name } of groups)
      await page.getByText(name, { exact: true }).filter({ visible: true }).first().waitFor()
    await narrow()
  })

  test('lets a visitor read the portal, as it is printed', async () => {
    const answer = await execute('portal/GET/api/v1/public/home')
    expect((await answer.json()).data).toHaveProperty('highlights')
    // What may be left out is left out: nobody has chosen a tenant.
    expect(await answer.request().allHeaders()).not.toHaveProperty('x-tenant-code')
  })

  test('signs in with one click, and sends what is printed; a second try has a key of its own', async () => {
    expect(await page.innerText('#session')).toBe('Sign in as admin')
    await page.click('#session button')
    await page.waitForSelector('#session:has-text("Sign out")')

    const form = await open('projects/POST/api/v1/projects')
    const created = await (await send(form)).json()
    expect(created).toMatchObject({ code: 0, data: { name: 'Website relaunch', code: 'RELAUNCH' } })
    expect((await (await send(form)).json()).error.type).toBe('PROJECT_CODE_TAKEN')
    await close()
    // No filter is made up, and no If-Match.
    const listed = await execute('projects/GET/api/v1/projects')
    expect(new URL(listed.url()).search).toBe('')
    expect((await listed.json()).data.map(({ code }: { code: string }) => code)).toContain('RELAUNCH')
    const answer = await execute('projects/PUT/api/v1/projects/{id}')
    expect((await answer.json()).error?.type).not.toBe('PRECONDITION_FAILED')
    expect(await answer.request().allHeaders()).not.toHaveProperty('if-match')
  })

  test('stays signed in when a password is refused that was tried, and when it is loaded again, dark as the reader wants it', async () => {
    const answer = await execute('auth/POST/api/v1/auth/login')
    expect((await answer.json()).error.type).toBe('INVALID_CREDENTIALS')
    expect(await page.innerText('#session')).toContain('Sign out')
    const brightness = () =>
      page.evaluate<number>('Number(getComputedStyle(document.body).backgroundColor.match(/[0-9]+/)[0])')
    expect(await brightness()).toBeGreaterThan(200)

    await page.emulateMedia({ colorScheme: 'dark' })
    await page.reload()
    expect((await (await execute('auth/GET/api/v1/auth/me')).json()).data.username).toBe('admin')
    await expect.poll(brightness).toBeLessThan(60)
  })

  test('signs out, and is signed in as the person who has tried the operation for it', async () => {
    await page.click('#session button')
    expect(await page.innerText('#session')).toBe('Sign in as admin')
    const me = async () => (await execute('auth/GET/api/v1/auth/me')).json()
    expect((await me()).error.type).toBe('UNAUTHENTICATED')

    // As whom the page has printed.
    const { example } = document.paths['/api/v1/auth/register'].post.requestBody.content['application/json']
    await world.anyone.create('/auth/register', example)
    expect((await execute('auth/POST/api/v1/auth/login')).ok()).toBe(true)
    await page.waitForSelector('#session:has-text("Sign out")')
    expect((await me()).data.username).toBe('ada')
  })

  test('fits on a phone: nothing is wider than the screen, and the buttons can be reached', async () => {
    await page.setViewportSize(PHONE)
    const section = await visit('tasks/GET/api/v1/projects/{id}/tasks')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    await assertReachable(page.locator('#session button'))
    await assertReachable(section.getByRole('button', { name: 'Test Request' }).first())

    const form = await open('tasks/GET/api/v1/projects/{id}/tasks')
    await assertReachable(form.getByRole('button', { name: SEND }).first())
    await close()
  })

  test('has asked nobody but this service, and its policy was never broken', () => {
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })

  /**
   * From now on the page has the operations alone that are tried, and the schemas that they name: with all of them, each
   * step takes seconds.
   */
  async function narrow() {
    const paths: Record<string, object> = {}
    for (const [method, path] of TRIED.map((operation) => operation.split(' ') as [string, string]))
      paths[path] = { ...paths[path], [method]: document.paths[path][method] }
    const schemas = schemasNamedBy([paths, { ...document.components, schemas: {} }])
    const { webhooks: _, ...rest } = document
    const body = JSON.stringify({ ...rest, paths, components: { ...document.components, schemas } })
    await page.route('**/openapi.json', (route) => route.fulfill({ contentType: 'application/json', body }))
    await page.reload()
  }

  function schemasNamedBy(part: unknown, found: Record<string, unknown> = {}): Record<string, unknown> {
    for (const [, name] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (name! in found) continue
      found[name!] = document.components.schemas[name!]
      schemasNamedBy(found[name!], found)
    }
    return found
  }

  /** Sends what is printed for an operation, as `tag/METHOD/path`. */
  async function execute(operation: string): Promise<Response> {
    const answer = await send(await open(operation))
    await close()
    return answer
  }

  /** The operation's place on the page. */
  async function visit(operation: string): Promise<Locator> {
    // A page that is still being built does not hear of another place.
    await page.locator('#reference section[id]').first().waitFor()
    await page.evaluate(`location.hash = 'tag/${operation}'`)
    const section = page.locator(`section[id$="tag/${operation}"]`)
    await section.scrollIntoViewIfNeeded()
    return section
  }

  /** The form in which it is tried. */
  async function open(operation: string): Promise<Locator> {
    const section = await visit(operation)
    await section.getByRole('button', { name: 'Test Request' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: SEND }).first().waitFor()
    return form
  }

  async function send(form: Locator): Promise<Response> {
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${address}/api/v1`)),
      form.getByRole('button', { name: SEND }).first().click(),
    ])
    await form.getByText(String(answer.status())).first().waitFor()
    return answer
  }

  async function close() {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }

  async function assertReachable(button: Locator) {
    await button.waitFor()
    const box = (await button.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
    expect(box.height).toBeGreaterThanOrEqual(24)
  }
})
