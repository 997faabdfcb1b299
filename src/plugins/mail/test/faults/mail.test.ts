import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { TEST_SECRET } from '#test/config.ts'
import { cloneDatabase, type Inspector, openInspector } from '#test/database.ts'
import { openInstance } from '#test/instance.ts'
import { report } from '#test/invariants.ts'
import { endLeases } from '#test/leases.ts'
import { until, untilNone } from '#test/patience.ts'
import { startProcess } from '#test/service.ts'
import { type Mailhost, openMailhost } from '#test/smtp.ts'
import { randomFrom } from '#test/workload.ts'
import { openWorld } from '#test/world.ts'
import { freePort } from '../../../../../appliance/embedded/postmaster.ts'
import { FIRST_TENANT } from '../../../../kernel/actor.ts'
import { sealWith } from '../../../../util/seal.ts'
import { placeOf } from '../../mail.actions.ts'

/** MAIL_KILLS=50 MAILS=5000 for the full run. */
const KILLS = Number(process.env.MAIL_KILLS ?? 1)
const MAILS = Number(process.env.MAILS ?? 60)
const sealer = sealWith([TEST_SECRET])
const chance = randomFrom(Date.now())

let host: Mailhost
let env: Record<string, string>
beforeEach(async () => {
  // No outgoing connection takes it while nobody listens there.
  host = await openMailhost(await freePort())
  env = { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' }
})

/** Mails as commands leave them. @returns their keys */
async function givenMails(look: Inspector, tenants: readonly number[], count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => {
    const [tenant, key] = [tenants[at % tenants.length]!, randomUUID()]
    return { tenant, key, sealed: sealer.seal('{"facts":{}}', placeOf(tenant, key)), receiver: `p${at}@example.org` }
  })
  await look.rows(
    `insert into mails (tenant_id, key, kind, recipient, locale, sealed)
     select tenant, key, 'MAIL_TEST', receiver, 'en', sealed
       from jsonb_to_recordset($1::jsonb) as given (tenant bigint, key text, receiver text, sealed text)`,
    [JSON.stringify(rows)],
  )
  return rows.map(({ key }) => key)
}
const waiting = (look: Inspector) => look.count(`select count(*) from mails where status <> 'sent'`)
const untilSent = (look: Inspector) => untilNone(() => waiting(look))
const keyOf = (messageId: string) => messageId.slice(1, messageId.indexOf('@'))

test(`of ${MAILS} mails none is lost when the service is killed ${KILLS} times, and one comes twice only where a kill fell between the yes of the server and our mark`, async () => {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  let killed = Promise.withResolvers<void>()
  host.beforeYes = async () => {
    await sleep(20 + 80 * chance())
    // However late we look, the last one is still to be sent when a kill falls.
    if (new Set(host.delivered.map(({ messageId }) => messageId)).size >= MAILS - 1) await killed.promise
  }
  await look.rows(`insert into tenants (id, name, code, plan) values (7, 'Other', 'other', 'x')`)
  // Before the service starts, which begins with what it finds.
  const keys = await givenMails(look, [FIRST_TENANT, 7], MAILS)
  let service = await startProcess({ databaseUrl, env })
  const { port } = service
  /** what the server had when a kill fell, and we had not marked */
  const exposed = new Set<string>()

  for (let kill = 0; kill < KILLS; kill++) {
    // Each kill falls while a share of the mails is still to be sent.
    const left = MAILS - ((kill + chance()) * MAILS) / (KILLS + 1)
    await until(async () => (await waiting(look)) <= left)
    expect(await waiting(look)).toBeGreaterThan(0)
    await service.end('SIGKILL')
    killed.resolve()
    await host.untilQuiet()
    const unmarked = await look.rows(`select key from mails where status <> 'sent'`)
    const arrived = new Set(host.delivered.map(({ messageId }) => keyOf(messageId)))
    for (const { key } of unmarked) if (arrived.has(key)) exposed.add(key)
    await endLeases(look)
    if (kill < KILLS - 1) killed = Promise.withResolvers()
    service = await startProcess({ databaseUrl, port, env })
  }
  await untilSent(look)
  await service.end('SIGKILL')

  const came = Map.groupBy(host.delivered, ({ messageId }) => keyOf(messageId))
  const twice = [...came].filter(([, mails]) => mails.length > 1).map(([key]) => key)
  report('mail under kills', [], { mails: MAILS, kills: KILLS, exposed: exposed.size, twice: twice.length })
  expect(keys.filter((key) => !came.has(key))).toEqual([])
  expect(twice.filter((key) => !exposed.has(key))).toEqual([])
  expect(await look.count('select count(*) from mails where sealed is not null')).toBe(0)
})

test('mail waits while the server is away, and leaves when it is back', async () => {
  const port = Number(new URL(host.url).port)
  await host.close()
  const world = await openWorld({ env })
  const { look } = world
  const tenant = await world.givenTenant()
  await givenMails(look, [tenant.id], 20)
  world.database.announcements.publish('mail', tenant.id)
  await until(async () => (await look.count('select count(*) from mails where last_error is not null')) === 20)
  expect(await look.rows('select distinct status from mails')).toEqual([{ status: 'waiting' }])

  host = await openMailhost(port)
  await untilSent(look)
  expect(new Set(host.delivered.map(({ to }) => to)).size).toBe(20)
  expect(host.delivered).toHaveLength(20)
})

test('two instances send each mail once', async () => {
  host.beforeYes = () => sleep(20 * chance())
  const world = await openWorld({ env })
  const tenants = [(await world.givenTenant()).id, (await world.givenTenant()).id]
  await givenMails(world.look, tenants, MAILS)
  await openInstance(world.databaseUrl, { env })
  for (const tenant of tenants) world.database.announcements.publish('mail', tenant)
  await untilSent(world.look)
  expect(host.delivered).toHaveLength(MAILS)
})
