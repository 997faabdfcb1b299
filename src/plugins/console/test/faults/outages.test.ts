import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { endsWithFile } from '#test/clean-up.ts'
import { hasBrowser, openBrowser, settled } from '#test/console.ts'
import { type Instance, openInstance } from '#test/instance.ts'
import { HOLDS_FIGURES, inTime, until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { startProxy, type TroubledWay } from '#test/proxy.ts'
import { type ServiceProcess, startProcess } from '#test/service.ts'
import { startWays } from '#test/ways.ts'
import { openWorld, type Person, type Tenant, type World } from '#test/world.ts'

/** The console while its service is gone or hung. The times are those of the browser, from the fault on. */
const UNTIL_IT_SAYS_SO_MS = 15_000
const UNTIL_IT_GOES_ON_MS = 35_000
/** So many times faster the pages wait: their seconds are nothing that a test would have to sit out. */
const SPEED = HOLDS_FIGURES ? 1 : 4
const AWAY = 'The service does not answer. This goes on by itself when it is back.'

describe.skipIf(!hasBrowser)('the console during an outage', () => {
  let world: World
  let database: TroubledWay
  let network: TroubledWay
  let troubled: Instance
  let killed: ServiceProcess
  beforeAll(async () => {
    world = await openWorld({ env: { RATE_LIMIT: '0' } })
    await world.app.listen({ port: 0, host: '127.0.0.1' })
    network = await startProxy((world.app.server.address() as AddressInfo).port)
    database = await startWays(world.databaseUrl)
    killed = await start()
    troubled = await givenInstance(database.through(world.databaseUrl))
  })

  const start = (port?: number) => startProcess({ databaseUrl: world.databaseUrl, ...(port && { port }) })
  /** In this process, which is enough for what only closes its port or loses its database. */
  async function givenInstance(databaseUrl: string, port = 0): Promise<Instance> {
    // It gives up before the page does, also on a slow machine.
    const env = { RATE_LIMIT: '0', DATABASE_TIMEOUT_MS: '5000' }
    const instance = await openInstance(databaseUrl, { env })
    await instance.app.listen({ port, host: '127.0.0.1' })
    return instance
  }
  const portOf = ({ app }: Pick<Instance, 'app'>) => (app.server.address() as AddressInfo).port

  const browserAt = async (port: number) => {
    const browser = await openBrowser(`http://127.0.0.1:${port}`)
    endsWithFile(() => browser.close())
    return browser
  }
  const now = (page: Page) => page.evaluate<number>('Date.now()')

  /** From now on the page waits for less time, until it is loaded again or calm. */
  const hurry = (page: Page) =>
    page.evaluate(`{
      const { setTimeout: later } = globalThis
      const limit = AbortSignal.timeout.bind(AbortSignal)
      let speed = ${SPEED}
      globalThis.setTimeout = (act, ms) => later(act, ms / speed)
      AbortSignal.timeout = (ms) => limit(ms / speed)
      globalThis.calm = () => { speed = 1 }
    }`)
  /** Again if it is being loaded in this moment. */
  const calm = (page: Page) => until(() => page.evaluate('globalThis.calm?.()'))

  /** A form that is being filled in, a page that is looked for meanwhile, and notifications that somebody waits for. */
  async function story(port: number, cause: () => unknown, repair: () => Promise<unknown>) {
    const browser = await browserAt(port)
    const tenant: Tenant = await world.givenTenant()
    const boss = tenant.administrator
    const ada = await world.givenUser(tenant)
    const open = async (path: string, as: Person) => {
      const page = await browser.open(path, { as })
      await settled(page)
      await hurry(page)
      return page
    }
    const form = await open(`people/${ada.id}`, boss)
    const reader = await open('people', boss)
    const listener = await open('notifications', ada)
    await form.getByLabel('Phone', { exact: true }).fill('+49 30 1')

    const causedAt = await now(form)
    await cause()
    // Before the page knows: the modules of the next page are asked for, and hang.
    await reader.getByRole('link', { name: 'Departments' }).click()
    await form.locator('.away').getByText(AWAY).waitFor()
    expect((await now(form)) - causedAt).toBeLessThan(inTime(UNTIL_IT_SAYS_SO_MS))
    await reader.locator('.away').waitFor()
    ;(await world.as(boss).post('/departments', { name: 'Sales', code: 'SALES' })).expect(201)

    await repair()
    const repairedAt = await now(form)
    await form.locator('.away').waitFor({ state: 'detached' })
    for (const page of [form, reader, listener]) await calm(page)
    expect((await now(form)) - repairedAt).toBeLessThan(inTime(UNTIL_IT_GOES_ON_MS))
    await reader.getByRole('link', { name: 'Sales' }).waitFor()
    const project = await world.givenProject(boss)
    await world.givenMember(boss, project, ada)
    await world.givenTask(boss, project, { title: 'Buy bread', assigneeId: ada.id })
    if (isHere('live')) await listener.getByRole('cell', { name: 'Buy bread' }).first().waitFor()

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
        killed = await start(killed.port)
      },
    ))

  test.concurrent('a network that swallows everything', () =>
    story(
      network.port,
      () => network.cause({ kind: 'black hole' }),
      async () => network.cause({ kind: 'none' }),
    ))

  test.concurrent('a form that is saved while the service is gone says so, keeps what was typed, and can be saved later', async () => {
    const gone = await givenInstance(world.databaseUrl)
    const port = portOf(gone)
    const browser = await browserAt(port)
    const tenant = await world.givenTenant()
    const page = await browser.open('departments/new', { as: tenant.administrator })
    await settled(page)
    await page.getByLabel('Department name').fill('Sales')
    await page.getByLabel('Short code').fill('SALES')
    await gone.app.close()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').getByText(AWAY).waitFor()
    await givenInstance(world.databaseUrl, port)
    await page.locator('.away').waitFor({ state: 'detached' })
    expect(await page.getByLabel('Department name').inputValue()).toBe('Sales')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'Sales' }).waitFor()
    expect((await world.as(tenant.administrator).get('/departments')).expect(200)).toMatchObject([{ code: 'SALES' }])
  })

  test.concurrent('a service whose database is away says so in its own words, and the page goes on by itself', async () => {
    const browser = await browserAt(portOf(troubled))
    const page = await browser.open('people', { as: (await world.givenTenant()).administrator })
    await settled(page)
    database.cause({ kind: 'reset' })
    await page.getByRole('link', { name: 'Departments' }).click()
    await page.getByRole('alert').getByText('The service is not available at the moment').waitFor()
    database.cause({ kind: 'none' })
    await page.getByText('There are no departments yet').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
