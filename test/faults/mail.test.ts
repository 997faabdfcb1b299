import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { placeOf } from '../../src/domains/mail/mail.actions.ts'
import { sealWith } from '../../src/util/seal.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Mailhost, openMailhost } from '../support/smtp.ts'
import { foundCompanies, randomFrom } from '../support/workload.ts'

/** MAIL_KILLS=50 MAILS=5000 for the full run. */
const KILLS = Number(process.env.MAIL_KILLS ?? 6)
const MAILS = Number(process.env.MAILS ?? 300)
/** The key of `startProcess`. */
const sealer = sealWith(['a-secret-of-the-tests-that-nobody-else-has'])
const chance = randomFrom(Date.now())

let service: ServiceProcess | undefined
let look: Inspector | undefined
let host: Mailhost | undefined
afterEach(async () => {
  await service?.end('SIGKILL')
  await look?.close()
  await host?.close()
})

/** Mails as commands leave them. @returns their keys */
async function givenMails(tenants: readonly number[], count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => {
    const [tenant, key] = [tenants[at % tenants.length]!, randomUUID()]
    return { tenant, key, sealed: sealer.seal('{"facts":{}}', placeOf(tenant, key)), to: `p${at}@example.org` }
  })
  await look!.rows(
    `insert into mails (tenant_id, key, kind, recipient, locale, sealed)
     select tenant, key, 'MAIL_TEST', receiver, 'en', sealed
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as given (tenant, key, receiver, sealed)`,
    [
      rows.map((row) => row.tenant),
      rows.map((row) => row.key),
      rows.map((row) => row.to),
      rows.map((row) => row.sealed),
    ],
  )
  return rows.map(({ key }) => key)
}
const waiting = () => look!.count(`select count(*) from mails where status <> 'sent'`)
async function untilSent(patience: number) {
  for (const end = Date.now() + patience; Date.now() < end && (await waiting()); ) await sleep(100)
}
const keyOf = (messageId: string) => messageId.slice(1, messageId.indexOf('@'))

test(`of ${MAILS} mails none is lost when the service is killed ${KILLS} times, and one comes twice only where a kill fell between the yes of the server and our mark`, {
  timeout: 120_000 + KILLS * 20_000 + MAILS * 100,
}, async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  host = await openMailhost()
  host.beforeYes = () => sleep(20 + 80 * chance())
  const env = { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' }
  service = await startProcess({ databaseUrl, env })
  const { port } = service
  const companies = await foundCompanies(service.remote, 2)
  const keys = await givenMails(
    companies.map(({ tenant }) => tenant),
    MAILS,
  )
  /** what the server had when a kill fell, and we had not marked */
  const exposed = new Set<string>()
  let kills = 0

  for (; kills < KILLS; kills++) {
    // Each kill falls while a share of the mails is still to be sent.
    const left = MAILS - ((kills + chance()) * MAILS) / (KILLS + 1)
    for (const end = Date.now() + inTime(20_000); Date.now() < end && (await waiting()) > left; ) await sleep(20)
    expect(await waiting()).toBeGreaterThan(0)
    await service.end('SIGKILL')
    // What was on its way to the server arrives.
    await sleep(300)
    const unmarked = await look.rows(`select key from mails where status <> 'sent'`)
    const arrived = new Set(host.delivered.map(({ messageId }) => keyOf(messageId)))
    for (const { key } of unmarked) if (arrived.has(key)) exposed.add(key)
    service = await startProcess({ databaseUrl, port, env })
  }
  await untilSent(60_000 + MAILS * 50)

  const came = Map.groupBy(host.delivered, ({ messageId }) => keyOf(messageId))
  const twice = [...came].filter(([, mails]) => mails.length > 1).map(([key]) => key)
  report('mail under kills', [], { mails: MAILS, kills, exposed: exposed.size, twice: twice.length })
  expect(keys.filter((key) => !came.has(key))).toEqual([])
  expect(twice.filter((key) => !exposed.has(key))).toEqual([])
  expect(await waiting()).toBe(0)
  expect(await look.count('select count(*) from mails where sealed is not null')).toBe(0)
})

test('mail waits while the server is away, and leaves when it is back', { timeout: 120_000 }, async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  host = await openMailhost()
  const port = Number(new URL(host.url).port)
  await host.close()
  service = await startProcess({ databaseUrl, env: { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' } })
  const [company] = await foundCompanies(service.remote, 1)
  await givenMails([company!.tenant], 20)
  for (const end = Date.now() + inTime(20_000); Date.now() < end; await sleep(50))
    if ((await look.count('select count(*) from mails where last_error is not null')) === 20) break
  expect(await look.rows('select distinct status from mails')).toEqual([{ status: 'waiting' }])

  host = await openMailhost(port)
  await untilSent(inTime(30_000))
  expect(await waiting()).toBe(0)
  expect(new Set(host.delivered.map(({ to }) => to)).size).toBe(20)
  expect(host.delivered).toHaveLength(20)
})

test('two processes send each mail once', { timeout: 120_000 }, async () => {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  host = await openMailhost()
  host.beforeYes = () => sleep(20 * chance())
  const env = { MAIL_URL: host.url, MAIL_FROM: 'no-reply@example.com' }
  service = await startProcess({ databaseUrl, env })
  const other = await startProcess({ databaseUrl, env })
  const companies = await foundCompanies(service.remote, 2)
  await givenMails(
    companies.map(({ tenant }) => tenant),
    200,
  )
  await untilSent(inTime(30_000))
  await other.end('SIGKILL')
  expect(await waiting()).toBe(0)
  expect(host.delivered).toHaveLength(200)
})
