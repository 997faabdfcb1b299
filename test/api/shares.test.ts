import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { exportAs, readArchive } from '../support/archive.ts'
import { until } from '../support/patience.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** One tenant takes all that it can get, and another is served beside it. */
let world: World
let greedy: Tenant
let other: Tenant
beforeAll(async () => {
  world = await openWorld({ env: { STREAMS: '8', WEBHOOK_CONNECTIONS: '8', MAIL_LIMIT: '5' } })
})
beforeEach(async () => {
  ;[greedy, other] = [await world.givenTenant(), await world.givenTenant()]
})
afterAll(() => world?.close())

const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))

test('a tenant that asks for its export again and again takes no place of another', async () => {
  const slow = await exportAs(world.app, greedy.administrator)
  const asking = times(8, async () => {
    for (let time = 0; time < 5; time++)
      (await world.as(greedy.administrator).get('/tenant/export')).expect(409, 'EXPORT_RUNNING')
  })
  for (let time = 0; time < 5; time++) {
    const { status, stream } = await exportAs(world.app, other.administrator)
    expect(status).toBe(200)
    await readArchive(stream)
  }
  await Promise.all(asking)
  slow.response.raw.res.destroy()
})

test('who reads an export must take at least 2 MiB a minute', async () => {
  const hurry = vi.spyOn(world.app.slowReaders, 'hurry')
  onTestFinished(() => hurry.mockRestore())
  await readArchive((await exportAs(world.app, other.administrator)).stream)
  expect(hurry).toHaveBeenCalledExactlyOnceWith(expect.anything(), { bytes: 2_097_152, ms: 60_000 })
})

test('a tenant whose systems wait for events has half of the streams, and another gets some', async () => {
  const boss = world.as(greedy.administrator)
  const { items } = (await boss.get('/roles?pageSize=100')).expect(200)
  const roleIds = items.filter(({ code }: any) => code === 'tenant-admin').map(({ id }: any) => id)
  const accounts = await Promise.all(
    times(2, async (at) => {
      const account = (await boss.post('/service-accounts', { name: `Greedy ${at}`, roleIds })).expect(201)
      return (await boss.post(`/service-accounts/${account.id}/keys`, { name: 'A key' })).expect(201).key
    }),
  )
  const after = (await boss.get('/events?pageSize=500')).expect(200).at(-1)!.id
  const waiting = times(10, async (at) => {
    const headers = { authorization: `Bearer ${accounts[at % 2]}` }
    const answer = await world.anyone.get(`/events?after=${after}&wait=30`, headers)
    if (answer.status === 503) expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    return answer.status
  })
  await until(() => world.app.streams.count() === 4)

  ;(await world.as(other.administrator).get('/events?wait=1&after=999999')).expect(200)
  expect(world.app.streams.count()).toBe(4)

  await world.givenProject(greedy.administrator)
  expect((await Promise.all(waiting)).sort()).toEqual([...Array(4).fill(200), ...Array(6).fill(503)])
})

test('two tenants whose receivers never answer leave room for the deliveries of a third', async () => {
  const never = Promise.withResolvers<void>()
  const pit = await givenReceiver()
  let ended = 0
  pit.answer = async (_, res) => {
    res.once('close', () => ended++)
    await never.promise
  }
  const good = await givenReceiver()
  const victim = await world.givenTenant()
  const happenIn = (tenant: Tenant, count: number) =>
    Promise.all(times(count, () => world.givenProject(tenant.administrator)))
  for (const [tenant, { url }] of [
    [greedy, pit],
    [other, pit],
    [victim, good],
  ] as const)
    (await world.as(tenant.administrator).post('/webhooks', { url, types: ['project.created'] })).expect(201)

  await Promise.all([happenIn(greedy, 12), happenIn(other, 12)])
  // Five or six of the eight, depending on whose come first.
  await pit.arrivedAt('/', 5)
  await happenIn(victim, 3)
  await good.arrivedAt('/', 3)

  expect(ended).toBe(0)
  never.resolve()
})

async function givenReceiver(): Promise<Receiver> {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  return receiver
}

describe('mail to one address', () => {
  let counter = 0
  let victim: string
  beforeEach(() => {
    victim = `Victim-${++counter}@example.com`
  })
  const invite = (email: string, by: Person) => world.as(by).post('/invitations', { email })
  const again = (id: number, by: Person) => world.as(by).post(`/invitations/${id}/resend`)

  test('is sent five times an hour for one person, however they ask and however they write it', async () => {
    const boss = greedy.administrator
    const { id } = (await invite(victim, boss)).expect(201)
    for (let time = 1; time < 5; time++) (await again(id, boss)).expect(200)

    const refused = await again(id, boss)
    refused.expect(429, 'RATE_LIMITED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3600)
    ;(await invite(victim.toLowerCase().replace('@', '+another@'), boss)).expect(429, 'RATE_LIMITED')
    expect(await world.look.count('select count(*) from mails where lower(recipient) = lower($1)', [victim])).toBe(5)

    ;(await invite(`not-${victim}`, boss)).expect(201)
    ;(await invite(victim, other.administrator)).expect(201)
    await world.look.rows(
      `update mails set created_at = created_at - interval '1 hour' where tenant_id = $1 and recipient = $2`,
      [greedy.id, victim],
    )
    ;(await again(id, boss)).expect(200)
  })

  test('is sent twenty times an hour for one tenant, whoever asks, and a link for a new password all the same', async () => {
    const role = await world.givenRole(greedy, ['user:invite'])
    const inviters = await Promise.all(times(5, () => world.givenUser(greedy, role)))
    const owner = await world.givenUser(greedy)
    await world.look.rows('update users set email = $1, email_key = lower($1) where id = $2', [victim, owner.id])
    const [given] = await world.look.rows('select id::float8 from roles where tenant_id = $1 and code = $2', [
      greedy.id,
      role,
    ])
    const draft = { email: victim, roleIds: [given!.id] }
    const { id } = (await world.as(greedy.administrator).post('/invitations', draft)).expect(201)
    for (const by of inviters.slice(0, 4)) for (let time = 0; time < 5; time++) await again(id, by)
    expect(await world.look.count('select count(*) from mails where recipient = $1', [victim])).toBe(20)

    ;(await again(id, inviters[4]!)).expect(429, 'RATE_LIMITED')
    const ask = (username: string) => world.anyone.post('/auth/password-resets', { username, tenantCode: greedy.code })
    const answers = [await ask(owner.username), await ask('nobody-of-this-name')]
    for (const answer of answers) expect(answer.expect(200)).toBeNull()
    await until(() =>
      world.look.count(`select count(*) from mails where user_id = $1`, [owner.id]).then((n) => n === 1),
    )
  })
})
