import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { CALLBACK, SERVICE } from '../support/browser.ts'
import type { Client } from '../support/client.ts'
import { canRun, openFolder, openPage, type Program, run, start } from '../support/page-programs.ts'
import { until } from '../support/patience.ts'
import { openProvider } from '../support/provider.ts'
import { arriveAt, PAGE } from '../support/provider-steps.ts'
import { openReceiver } from '../support/receiver.ts'
import { openWorld } from '../support/world.ts'

/** The programs of the page for other systems do what they say, as they stand there. */
const page = openPage('docs/integrations.md')
/** Of another company, and in the test of the plug-in audit-chain. */
const ELSEWHERE = ['Stripe: sh', 'Verify the chain: js', 'Verify the chain: python']
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const LANGUAGES = (['js', 'python'] as const).filter(canRun)
const hasShell = canRun('sh')

const world = await openWorld({ env: { PAYMENTS_DEMO_SECRET: SECRET } })
const ATRIUM = await world.app.listen({ port: 0, host: '127.0.0.1' })
const admin = world.as(world.admin)
const TOKEN = world.admin.token
let KEY: string
beforeAll(async () => {
  const role = (await admin.read('/roles?pageSize=100')).items.find(({ code }: any) => code === 'admin')
  const { id } = await admin.create('/service-accounts', { name: 'Page', roleIds: [role.id] })
  KEY = (await admin.create(`/service-accounts/${id}/keys`, { name: 'Page' })).key
})

let counter = 0
const givenProject = () => world.givenProject(world.admin, { name: 'Apollo', code: `PAGE-${++counter}` })
/** A program that goes on until the test ends. */
function begin(program: Program, env: Record<string, string>, folder = openFolder()) {
  const running = start(program, folder, env)
  onTestFinished(() => void running.child.kill('SIGKILL'))
  return running
}
const untilSaid = (program: { stdout: string }, what: RegExp) => until(() => what.test(program.stdout))

describe('keys', () => {
  test.skipIf(!hasShell)('the commands make a service account and a key that works', async () => {
    const key = await run(page.take('Make one', 'sh'), { ATRIUM, TOKEN })
    expect(key).toMatch(/^atr_/)
    await givenProject()
    const answer = JSON.parse(await run(page.take('Call with it', 'sh'), { ATRIUM, KEY: key }))
    expect(answer).toMatchObject({ code: 0, data: expect.any(Array) })
  })

  test.each(LANGUAGES)('a program in %s lists projects with it', async (language) => {
    const { id, name } = await givenProject()
    expect(await run(page.take('Call with it', language), { ATRIUM, KEY })).toContain(`${id} ${name}`)
  })
})

describe('webhooks', () => {
  test.skipIf(!hasShell)('the command makes one and shows its secret', async () => {
    const make = page.take('Webhooks: events are sent to you', 'sh')
    expect(await run(make, { ATRIUM, TOKEN })).toMatch(/^whsec_/)
  })

  test.each(LANGUAGES)('a receiver in %s takes what is signed, and refuses the rest', async (language) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const { id, secret } = await admin.create('/webhooks', { url, types: ['webhook.tested'] })
    const receiver = begin(page.take('Verify each request', language), { WEBHOOK_SECRET: secret, PORT: String(port) })
    const forged = { 'webhook-id': '1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,bm90IGdlbnVpbmU=' }
    const post = () => fetch(url, { method: 'POST', headers: forged, body: '{}' }).then(({ status }) => status)
    await until(async () => (await post()) === 401)

    ;(await admin.post(`/webhooks/${id}/test`)).expect(200)

    await untilSaid(receiver, /^\d+ webhook\.tested /)
    const deliveries = () => admin.read(`/webhooks/${id}/deliveries`)
    await expect.poll(async () => (await deliveries())[0].responseStatus).toBe(204)
    ;(await admin.delete(`/webhooks/${id}`)).expect(200)
  })

  test.skipIf(!hasShell)('the commands sign a delivery as it is signed', async () => {
    const receiver = await openReceiver()
    onTestFinished(() => receiver.close())
    const draft = { url: `${receiver.url}/signed`, types: ['webhook.tested'] }
    const { id, secret } = await admin.create('/webhooks', draft)
    ;(await admin.post(`/webhooks/${id}/test`)).expect(200)
    const [{ headers, text }] = (await receiver.arrivedAt('/signed')) as [any]
    const signed = { ID: headers['webhook-id'], TIMESTAMP: headers['webhook-timestamp'], BODY: text }
    const env = { WEBHOOK_SECRET: secret, ...signed }
    expect(`v1,${await run(page.take('Verify each request', 'sh'), env)}`).toBe(headers['webhook-signature'])
  })
})

test.skipIf(!hasShell)('the requests of Entra ID find, make and disable a person', async () => {
  expect((await run(page.take('Set it up', 'sh'), { ATRIUM, KEY })).split('\n')).toEqual(['0', 'false'])
  const { items } = await admin.read('/users?keyword=ada%40example.com')
  expect(items).toMatchObject([{ username: 'ada@example.com', nickname: 'Ada', status: 'disabled' }])
})

test.skipIf(!hasShell)(
  'sign-in at a provider is set up by the command; the page and a server exchange its code',
  async () => {
    const provider = await openProvider(CALLBACK)
    onTestFinished(() => provider.close())
    provider.account = { sub: 'grace', email: 'grace@example.com', groups: ['engineering'] }
    const tenant = await world.givenTenant()
    const env = { ATRIUM, ISSUER: provider.issuer, CLIENT_SECRET: provider.client.clientSecret }
    const make = page.take('Name the provider', 'sh')
    const saved = await until(async () => {
      const said = JSON.parse(await run(make, { ...env, TOKEN: tenant.administrator.token }))
      return said.error?.type !== 'PROVIDER_UNREACHABLE' && said
    })
    expect(saved).toMatchObject({ code: 0, data: { issuer: provider.issuer } })

    const kept: any[] = []
    const stored = new Map<string, string>()
    const sessionStorage = { getItem: stored.get.bind(stored), setItem: stored.set.bind(stored) }
    const text = page.take('Sign in from a page', 'js').text.replace("'velora'", `'${tenant.code}'`)
    /** The program of the page, as a browser runs it at an address. */
    async function open(href: string) {
      const { hash, pathname, search } = new URL(href)
      const button: { onclick?: () => Promise<void> } = {}
      const visited: string[] = []
      const location = { href, hash, pathname, search, assign: (url: URL) => visited.push(url.href) }
      const history = { replaceState: (_: unknown, __: string, to: string) => visited.push(to) }
      const names = ['ATRIUM', 'button', 'location', 'history', 'sessionStorage', 'showReason', 'keepSession']
      const keep = (said: any) => kept.push(said)
      const given = [ATRIUM, button, location, history, sessionStorage, keep, keep]
      await new (Object.getPrototypeOf(open).constructor)(...names, text)(...given)
      return { button, visited }
    }
    const { button, visited } = await open(PAGE)
    await button.onclick!()
    const arrive = () => arriveAt(world.app, visited.at(-1)!.replace(ATRIUM, SERVICE))

    const back = await open(await arrive())
    expect(back.visited).toEqual([new URL(PAGE).pathname])
    const nameOf = (token: string) => world.anyone.read('/auth/me', { authorization: `Bearer ${token}` })
    expect(await nameOf(kept[0].accessToken)).toMatchObject({ tenantId: tenant.id, roles: ['user'] })

    await open(`${PAGE}#error=ACCESS_DENIED`)
    expect(kept[1]).toBe('ACCESS_DENIED')

    if (!canRun('python')) return
    const code = decodeURIComponent((await arrive()).split('#code=')[1]!)
    const token = await run(page.take('Sign in from a page', 'python'), { ATRIUM }, [code, stored.get('verifier')!])
    expect(await nameOf(token)).toMatchObject({ id: (await nameOf(kept[0].accessToken)).id })
  },
)

describe('the event log', () => {
  test.skipIf(!hasShell)('is read by the command', async () => {
    const { id } = await givenProject()
    await admin.create(`/projects/${id}/tasks`, { title: 'Launch' })
    const { data } = JSON.parse(await run(page.take('The event log', 'sh'), { ATRIUM, KEY }))
    expect(data.at(-1)).toMatchObject({ type: 'task.created', data: { title: 'Launch' } })
  })

  test.each(LANGUAGES)('is followed in %s, and goes on where the program was stopped', async (language) => {
    const program = page.take('The event log', language)
    const folder = openFolder()
    const first = begin(program, { ATRIUM, KEY }, folder)
    await givenProject()
    await untilSaid(first, new RegExp(`PAGE-${counter}\\b`))
    // The position is written after the event is printed.
    const last = () => first.stdout.match(/^\d+(?= )/gm)!.at(-1)
    await expect.poll(() => readFileSync(join(folder, 'position'), 'utf8')).toBe(last())
    first.child.kill('SIGKILL')
    await once(first.child, 'close')

    await givenProject()
    const second = begin(program, { ATRIUM, KEY }, folder)
    await untilSaid(second, new RegExp(`PAGE-${counter}\\b`))
    await givenProject()
    await untilSaid(second, new RegExp(`PAGE-${counter}\\b`))

    const ids = (first.stdout + second.stdout).match(/^\d+(?= )/gm)!.map(Number)
    const all = await admin.list('/events?limit=1000', 'id')
    expect(ids).toEqual(all.slice(0, ids.length))
  })
})

test.skipIf(!hasShell)('the audit is kept in a file to which later rows are added', async () => {
  const folder = openFolder()
  const program = page.take('The audit as evidence', 'sh')
  const rows = () => {
    const lines = readFileSync(join(folder, 'audit.ndjson'), 'utf8').trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line).id)
  }
  await run(program, { ATRIUM, KEY }, [], folder)
  const before = rows()
  await givenProject()
  // Later rows come when they are settled.
  await until(async () => {
    await run(program, { ATRIUM, KEY }, [], folder)
    return rows().length > before.length
  })
  expect(rows().slice(0, before.length)).toEqual(before)
  expect(new Set(rows()).size).toBe(rows().length)
})

describe('payments', () => {
  const HERE = 'In development'
  let buyer: Client
  beforeAll(async () => {
    const tenant = await world.givenTenant()
    await world.givenPrices(tenant)
    buyer = world.as(tenant.administrator)
  })
  const order = async () => (await buyer.create('/payments/checkout', { planId: 2, channel: 'card' })).orderNo as string
  const statusOf = async (orderNo: string) => (await buyer.read(`/payments/orders/${orderNo}`)).status
  const env = () => ({ ATRIUM, PUBLIC_URL: ATRIUM, PAYMENTS_DEMO_SECRET: SECRET })

  test.skipIf(!hasShell)(
    'are reported by the provider of development, which is asked to misbehave, and by hand',
    async () => {
      const [ORDER, other] = [await order(), await order()]
      const said = await run(page.take(HERE, 'sh'), { ...env(), ORDER })
      const reports = ['paid', 'refunded', 'refunded', 'paid', 'paid'].map((status) => `${status}: 200`)
      expect(said.match(/^(paid|refunded): \d+$/gm)).toEqual(reports)
      const byHand = JSON.parse(await run(page.take(HERE, 'sh', 1), { ...env(), ORDER: other }))
      expect(byHand).toMatchObject({ code: 0 })
      expect([await statusOf(ORDER), await statusOf(other)]).toEqual(['refunded', 'paid'])
    },
  )

  test.each(LANGUAGES)('and by a program in %s', async (language) => {
    const ORDER = await order()
    expect(await run(page.take(HERE, language), { ...env(), ORDER })).toBe('200')
    expect(await statusOf(ORDER)).toBe('refunded')
  })
})

test.skipIf(!hasShell)('the export is fetched, checked and read by each program', async () => {
  const HERE = 'Exporting a tenant'
  const { id } = await givenProject()
  await admin.create(`/projects/${id}/tasks`, { title: 'Land on the moon' })
  const folder = openFolder()
  expect(await run(page.take(HERE, 'sh'), { ATRIUM, KEY }, [], folder)).toBe('manifest.json: OK')
  rmSync(join(folder, 'acme.tar'))
  await run(page.take(HERE, 'js'), { ATRIUM, KEY }, [], folder)
  if (canRun('python'))
    expect(await run(page.take(HERE, 'python'), {}, ['acme.tar'], folder)).toContain('Land on the moon')
})

test('each program of the page is run by a test', () => {
  const skipped = ['sh', 'python'].filter((language) => !canRun(language as 'sh'))
  const left = page.left().filter((name) => !skipped.some((language) => name.endsWith(`: ${language}`)))
  expect(left.sort()).toEqual([...ELSEWHERE].sort())
})
