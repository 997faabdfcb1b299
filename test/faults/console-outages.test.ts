import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleBrowser, hasBrowser, openBrowser, settled } from '../support/console.ts'
import { inTime } from '../support/patience.ts'
import { startProxy, type TroubledWay } from '../support/proxy.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { startWays } from '../support/ways.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** The console while its service is gone or hung. The times are those of the browser, from the fault on. */
const UNTIL_IT_SAYS_SO_MS = 15_000
const UNTIL_IT_GOES_ON_MS = 35_000
const AWAY = 'The service does not answer. This goes on by itself when it is back.'

describe.skipIf(!hasBrowser)('the console during an outage', { timeout: 300_000 }, () => {
  let world: World
  let database: TroubledWay
  let network: TroubledWay
  let killed: ServiceProcess
  let stopped: ServiceProcess
  const browsers: ConsoleBrowser[] = []
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0' } })
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    network = await startProxy((world.app.server.address() as AddressInfo).port)
    database = await startWays(world.databaseUrl)
    killed = await startProcess({ databaseUrl: database.through(world.databaseUrl) })
    stopped = await startProcess({ databaseUrl: world.databaseUrl })
  }, 120_000)
  afterAll(async () => {
    for (const browser of browsers) await browser.close()
    for (const service of [killed, stopped]) await service?.end('SIGKILL')
    await network?.close()
    await world?.close()
    await database?.close()
  })

  const browserAt = async (port: number) => {
    const browser = await openBrowser(`http://127.0.0.1:${port}`)
    browsers.push(browser)
    return browser
  }
  const now = (page: Page) => page.evaluate<number>('Date.now()')

  /** Notes in the page when it begins and ends to say that the service is away. */
  async function watch(page: Page) {
    await page.evaluate(`{
      const changes = globalThis.changes = []
      const look = () => {
        const isAway = document.querySelector('.away') !== null
        if (isAway !== (changes.length % 2 === 1)) changes.push(Date.now())
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    }`)
    return () => page.evaluate<number[]>('globalThis.changes')
  }

  /** A form that is being filled in, a page that is looked for meanwhile, and notifications that somebody waits for. */
  async function story(port: number, cause: () => unknown, repair: () => Promise<unknown>) {
    const browser = await browserAt(port)
    const tenant: Tenant = await world.givenTenant()
    const boss = tenant.administrator
    const ada = await world.givenUser(tenant)
    const open = async (path: string, as: Person) => {
      const page = await browser.open(path, { as })
      await settled(page)
      return page
    }
    const form = await open(`people/${ada.id}`, boss)
    const reader = await open('people', boss)
    const listener = await open('notifications', ada)
    const changes = await watch(form)
    await form.getByLabel('Phone', { exact: true }).fill('+49 30 1')

    const causedAt = await now(form)
    await cause()
    // Before the page knows: the modules of the next page are asked for, and hang.
    await reader.getByRole('link', { name: 'Invitations' }).click()
    await form
      .locator('.away')
      .getByText(AWAY)
      .waitFor({ timeout: inTime(UNTIL_IT_SAYS_SO_MS) })
    expect((await changes())[0]! - causedAt).toBeLessThan(inTime(UNTIL_IT_SAYS_SO_MS))
    await reader.locator('.away').waitFor({ timeout: inTime(UNTIL_IT_SAYS_SO_MS) })
    const email = 'later@example.org'
    ;(await world.as(boss).post('/invitations', { email })).expect(201)

    await repair()
    const repairedAt = await now(form)
    await form.locator('.away').waitFor({ state: 'detached', timeout: inTime(UNTIL_IT_GOES_ON_MS) })
    expect((await changes())[1]! - repairedAt).toBeLessThan(inTime(UNTIL_IT_GOES_ON_MS))
    await reader.getByRole('cell', { name: email }).waitFor({ timeout: inTime(UNTIL_IT_GOES_ON_MS) })
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, ada)
    await world.givenTask(boss, project, { title: 'Buy bread', assigneeId: ada.id })
    const title = listener.getByRole('cell', { name: 'Buy bread' }).first()
    await title.waitFor({ timeout: inTime(UNTIL_IT_GOES_ON_MS) })

    expect(await form.getByLabel('Phone', { exact: true }).inputValue()).toBe('+49 30 1')
    await form.getByRole('button', { name: 'Save', exact: true }).click()
    await form.getByRole('status').getByText('Saved').waitFor()
    expect((await world.as(boss).get(`/users/${ada.id}`)).expect(200)).toMatchObject({ phone: '+49 30 1' })
    expect(browser.complaints).toEqual([])
  }

  test.concurrent('a service that is killed and started again', () =>
    story(
      killed.port,
      () => killed.end('SIGKILL'),
      async () => {
        const { port } = killed
        killed = await startProcess({ port, databaseUrl: database.through(world.databaseUrl) })
      },
    ))

  test.concurrent('a service that hangs and then goes on', () =>
    story(
      stopped.port,
      () => process.kill(stopped.pid, 'SIGSTOP'),
      async () => process.kill(stopped.pid, 'SIGCONT'),
    ))

  test.concurrent('a network that swallows everything', () =>
    story(
      network.port,
      () => network.cause({ kind: 'black hole' }),
      async () => network.cause({ kind: 'none' }),
    ))

  test('a form that is saved while the service is gone says so, keeps what was typed, and can be saved later', async () => {
    const browser = await browserAt(killed.port)
    const tenant = await world.givenTenant()
    const page = await browser.open('departments/new', { as: tenant.administrator })
    await settled(page)
    await page.getByLabel('Department name').fill('Sales')
    await page.getByLabel('Short code').fill('SALES')
    const { port } = killed
    await killed.end('SIGKILL')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(AWAY)
      .waitFor({ timeout: inTime(UNTIL_IT_SAYS_SO_MS) })
    killed = await startProcess({ port, databaseUrl: database.through(world.databaseUrl) })
    await page.locator('.away').waitFor({ state: 'detached', timeout: inTime(UNTIL_IT_GOES_ON_MS) })
    expect(await page.getByLabel('Department name').inputValue()).toBe('Sales')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Sales' }).waitFor()
    expect((await world.as(tenant.administrator).get('/departments')).expect(200)).toMatchObject([{ code: 'SALES' }])
  })

  test('a service whose database is away says so in its own words, and the page goes on by itself', async () => {
    const browser = await browserAt(killed.port)
    const page = await browser.open('people', { as: (await world.givenTenant()).administrator })
    await settled(page)
    database.cause({ kind: 'reset' })
    await page.getByRole('link', { name: 'Departments' }).click()
    await page
      .getByRole('alert')
      .getByText('The service is not available at the moment')
      .waitFor({ timeout: inTime(UNTIL_IT_SAYS_SO_MS) })
    database.cause({ kind: 'none' })
    await page.getByText('There are no departments yet').waitFor({ timeout: inTime(UNTIL_IT_GOES_ON_MS) })
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
