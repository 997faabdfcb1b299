import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from '../support/world.ts'

/** The documentation page in a real browser, over plain HTTP and with nothing but this service to talk to. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

const isThere = existsSync(CHROMIUM)
if (!isThere) console.warn(`${CHROMIUM} is not there: the tests of the documentation page are skipped`)

// A browser on a busy machine takes its time.
describe.skipIf(!isThere)('the documentation page', { timeout: 60_000 }, () => {
  let world: World
  let address: string
  let folder: string
  let browser: BrowserContext
  let page: Page
  /** what the page complained about, and where it went besides this service */
  const complaints: string[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    world = await openWorld()
    address = await world.app.listen({ port: 0, host: '127.0.0.1' })
    folder = await mkdtemp(join(tmpdir(), 'atrium-browser-'))
    browser = await chromium.launchPersistentContext(folder, {
      executablePath: CHROMIUM,
      args: FLAGS.split(' '),
      viewport: DESK,
    })
    page = await browser.newPage()
    page.on('console', (message) => {
      // A refusal is written to the console by the browser itself.
      if (message.type() === 'error' && !message.text().includes('the server responded with a status of'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(address) && !request.url().startsWith('data:')) strangers.push(request.url())
    })
    await page.goto(`${address}/docs`)
  })
  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
    await world.close()
  })

  test('shows every group of operations', async () => {
    await page.waitForSelector('.opblock-tag')
    expect(await page.locator('.opblock-tag').count()).toBe(17)
  })

  test('tells a wrong password in words', async () => {
    await page.fill('#username', 'admin')
    await page.fill('#password', 'wrong')
    await page.click('#sign-in button[type=submit]')

    expect(await refusal()).toContain('401 INVALID_CREDENTIALS')
    expect(await refusal()).toContain('The user name or the password is wrong')
  })

  test('signs in once for all operations', async () => {
    await page.fill('#password', 'admin123')
    await page.click('#sign-in button[type=submit]')

    await page.waitForSelector('body.signed-in')
    expect(await page.textContent('#who')).toBe('admin')
    expect(await page.isVisible('#refusal')).toBe(false)
  })

  test('creates a project, with a key of its own, and finds it in the list', async () => {
    const created = await execute('projects', 'createProject')
    expect(created).toMatchObject({ code: 0, data: { name: 'Apollo', code: 'APOLLO' } })

    const listed = await execute('projects', 'listProjects')
    expect(listed.data.map(({ id }: { id: number }) => id)).toContain(created.data.id)
  })

  test('tells a refusal in words: the code is taken, though the key is a new one', async () => {
    const answer = await execute('projects', 'createProject')

    expect(answer.error.type).toBe('PROJECT_CODE_TAKEN')
    expect(await refusal()).toContain('409 PROJECT_CODE_TAKEN')
    expect(await refusal()).toContain(`Request ${answer.requestId}`)
  })

  test('tells what is wrong with a body, field by field', async () => {
    const operation = page.locator('#operations-projects-createProject')
    await operation.locator('.body-param__text').fill('{"name":" "}')
    await operation.locator('.execute').click()

    await page.waitForSelector('#refusal:has-text("400 VALIDATION_FAILED")')
    expect(await refusal()).toContain('body.name: must not be blank')
    expect(await refusal()).toContain('body.code')
  })

  test('is still signed in when it was loaded again', async () => {
    await page.reload()

    expect(await page.textContent('#who')).toBe('admin')
    expect((await execute('auth', 'getMe')).data.username).toBe('admin')
  })

  test('reads the portal of the tenant that is named in the bar', async () => {
    await page.fill('#tenant', 'nobody-has-this')
    await execute('portal', 'getPublicHome')
    expect(await refusal()).toContain('404 TENANT_NOT_FOUND')

    await page.fill('#tenant', 'default')
    expect((await execute('portal', 'getPublicHome')).data).toHaveProperty('highlights')
  })

  test('uploads a file, and shows the tree of departments, which contains itself', async () => {
    const upload = await open('files', 'uploadFile')
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }
    await upload.locator('input[type=file]').setInputFiles(file)
    expect((await execute('files', 'uploadFile')).data).toMatchObject({ originalName: 'plan.txt', size: 6 })

    expect((await execute('organization', 'listDepartments')).data).toEqual([])
  })

  test('listens to a stream for a while, and shows what it said', async () => {
    expect(await execute('notifications', 'streamNotifications', String)).toContain('event: unread-count')
  })

  test('fits on a phone: nothing is wider than the screen, and the buttons can be reached', async () => {
    await page.setViewportSize(PHONE)
    await execute('tasks', 'listTasks')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)

    for (const button of ['#sign-out', '#operations-tasks-listTasks .execute']) {
      const box = (await page.locator(button).boundingBox())!
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(PHONE.width)
      expect(box.height).toBeGreaterThanOrEqual(32)
    }
  })

  test('signs out: the next call is refused', async () => {
    await page.click('#sign-out')
    await page.waitForSelector('body:not(.signed-in)')

    expect((await execute('auth', 'getMe')).error.type).toBe('UNAUTHENTICATED')
  })

  test('has asked nobody but this service, and its policy was never broken', () => {
    expect(strangers).toEqual([])
    expect(complaints).toEqual([])
  })

  /** Executes an operation, and reads the answer as the page shows it. */
  async function execute(tag: string, operationId: string, read: (text: string) => any = JSON.parse): Promise<any> {
    const operation = await open(tag, operationId)
    if (await operation.locator('.btn-clear').count()) await operation.locator('.btn-clear').click()
    await operation.locator('.execute').click()
    const body = operation.locator('.live-responses-table .response-col_description .highlight-code code').first()
    await body.waitFor()
    return read((await body.textContent())!)
  }

  async function open(tag: string, operationId: string): Promise<Locator> {
    await page.waitForSelector(`#operations-tag-${tag}`)
    const operation = page.locator(`#operations-${tag}-${operationId}`)
    if (!(await operation.count())) await page.click(`#operations-tag-${tag}`)
    await operation.waitFor()
    if (!(await operation.locator('.execute').count())) await operation.locator('.opblock-summary-control').click()
    await operation.locator('.execute').waitFor()
    return operation
  }

  async function refusal(): Promise<string> {
    await page.waitForSelector('#refusal:not([hidden])')
    return page.innerText('#refusal')
  }
})
