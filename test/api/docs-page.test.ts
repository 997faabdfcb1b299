import type { Locator, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, sharedBrowser } from '../support/console.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { openWorld, type World } from '../support/world.ts'

/** The documentation page in a real browser, over plain HTTP and with nothing but this service to talk to. */
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** The browser itself writes of refusals, and the page of a stream that was left. */
const EXPECTED = /the server responded with a status of|The request has been cancelled/
/** Not those of the sidebar, which send messages. */
const SEND = /^Send($| \w+ request)/

const TRIED = [
  '/api/v1/auth/login',
  '/api/v1/auth/me',
  '/api/v1/files',
  '/api/v1/notifications/stream',
  '/api/v1/projects',
  '/api/v1/projects/{id}',
  '/api/v1/projects/{id}/tasks',
  '/api/v1/public/home',
]

describe.skipIf(!hasBrowser)('the documentation page', () => {
  let world: World
  let address: string
  let page: Page
  /** what the page complained about, and what it requested besides this service */
  const complaints: string[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    world = await openWorld()
    address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    page = await (await sharedBrowser()).newPage({ viewport: DESK, reducedMotion: 'reduce' })
    page.setDefaultTimeout(PATIENCE_MS)
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) strangers.push(request.url())
    })
    await page.goto(`${address}/docs/`)
  })
  afterAll(async () => {
    await page?.close()
    await world?.close()
  })

  test('shows every group of operations', async () => {
    await page.waitForSelector('text=One HTTP service')
    expect(page.url()).toBe(`${address}/docs/`)
    const groups: { name: string }[] = JSON.parse((await world.app.inject('/openapi.json')).body).tags
    expect(groups.length).toBeGreaterThan(15)
    for (const { name } of groups)
      await page.getByText(name, { exact: true }).filter({ visible: true }).first().waitFor()
  })

  test('finds operations by their words, their paths and their names, and models by theirs', async () => {
    expect(await found('/organizations')).toContain('Read the organization')
    expect(await found('archive a project')).toContain('/api/v1/projects/{id}/archive')
    expect(await found('archiveProject')).toContain('Open an archived project again')
    expect(await found('ApprovalStep')).toContain('ApprovalStepStatus')
  })

  test('lets a visitor read the portal, as it is printed', async () => {
    await narrow()
    const answer = await execute('portal/GET/api/v1/public/home')
    expect((await answer.json()).data).toHaveProperty('highlights')
    // What may be left out is left out: nobody has chosen a tenant.
    expect(await answer.request().allHeaders()).not.toHaveProperty('x-tenant-code')
  })

  test('signs in with one click, and creates a project; a second try has a key of its own, and the code is taken', async () => {
    expect(await page.innerText('#session')).toBe('Sign in as admin')
    await page.click('#session button')
    await page.waitForSelector('#session:has-text("Sign out")')

    const form = await open('projects/POST/api/v1/projects')
    const created = await (await send(form)).json()
    expect(created).toMatchObject({ code: 0, data: { name: 'Website relaunch', code: 'RELAUNCH' } })
    expect((await (await send(form)).json()).error.type).toBe('PROJECT_CODE_TAKEN')
    await close()
  })

  test('finds it in the list, which no filter narrows', async () => {
    const listed = await execute('projects/GET/api/v1/projects')
    expect(new URL(listed.url()).search).toBe('')
    expect((await listed.json()).data.map(({ code }: { code: string }) => code)).toContain('RELAUNCH')
  })

  test('updates as it is printed: no If-Match is made up', async () => {
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

  test('uploads a file', async () => {
    const form = await open('files/POST/api/v1/files')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      form.getByRole('button', { name: 'Select File' }).first().click(),
    ])
    await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') })
    const answer = await send(form)
    expect((await answer.json()).data).toMatchObject({ originalName: 'plan.txt', size: 6 })
    await close()
  })

  test('shows what a stream says, while it says it', async () => {
    const form = await open('notifications/GET/api/v1/notifications/stream')
    await form.getByRole('button', { name: SEND }).first().click()
    await form.getByText('event: unread-count').waitFor()
    await close()
  })

  test('signs out: the next call is refused', async () => {
    await page.click('#session button')
    expect(await page.innerText('#session')).toBe('Sign in as admin')

    expect((await (await execute('auth/GET/api/v1/auth/me')).json()).error.type).toBe('UNAUTHENTICATED')
  })

  test('is signed in as the person who has tried the operation for it', async () => {
    // As whom the page has printed.
    const { paths } = JSON.parse((await world.app.inject('/openapi.json')).body)
    const { example } = paths['/api/v1/auth/register'].post.requestBody.content['application/json']
    ;(await world.anyone.post('/auth/register', example)).expect(201)
    expect((await execute('auth/POST/api/v1/auth/login')).ok()).toBe(true)
    await page.waitForSelector('#session:has-text("Sign out")')

    expect((await (await execute('auth/GET/api/v1/auth/me')).json()).data.username).toBe('ada')
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

  /** From now on the page has the operations alone that are tried: with all of them, each step takes seconds. */
  async function narrow() {
    const document = JSON.parse((await world.app.inject('/openapi.json')).body)
    const tried = Object.entries(document.paths).filter(([path]) => TRIED.includes(path))
    const narrowed = JSON.stringify({ ...document, paths: Object.fromEntries(tried) })
    await page.route('**/openapi.json', (route) => route.fulfill({ contentType: 'application/json', body: narrowed }))
    await page.reload()
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

  async function found(words: string): Promise<string> {
    await page.keyboard.press('Control+k')
    await page.locator('input:focus').waitFor()
    // All together: the page searches for each letter.
    await page.keyboard.insertText(words)
    const list = page.getByRole('listbox')
    await list.getByRole('option').nth(1).waitFor()
    const text = await list.innerText()
    await close()
    return text
  }

  async function assertReachable(button: Locator) {
    await button.waitFor()
    const box = (await button.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
    expect(box.height).toBeGreaterThanOrEqual(24)
  }
})
