import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Call, callsOf, startCallers } from '../support/audited-calls.ts'
import { CANARIES, planted } from '../support/canaries.ts'
import { atrium } from '../support/cli.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { expectNoViolation, report } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { checkStanding } from '../support/standing.ts'
import { givenFolder } from '../support/uploads.ts'
import { type Company, foundCompanies, startWorkload } from '../support/workload.ts'

/** AUDIT_REQUESTS=10000 for the full run. */
const REQUESTS = Number(process.env.AUDIT_REQUESTS ?? 400)
const KILLS = 3
/** ms within which a refusal that was answered has its row, whatever happens then */
const BEHIND_MS = 2000

let databaseUrl: string
let look: Inspector
let service: ServiceProcess
let companies: Company[]
const folder = givenFolder()
/** what each process has written, those that were killed included */
const logs: string[] = []

beforeAll(async () => {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  service = await start()
  companies = await foundCompanies(service.remote)
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await look?.close()
  folder.remove()
})

function start(port?: number): Promise<ServiceProcess> {
  const env = { LOG_LEVEL: 'trace', FILE_STORAGE_ROOT: folder.root }
  return startProcess({ databaseUrl, env, ...(port && { port }) })
}
async function end(signal: NodeJS.Signals) {
  await service.end(signal)
  logs.push(service.output())
}

/** Half of the requests are the workload's, half those of the callers. */
function startAll(requests: number) {
  const remote = () => planted(service.remote)
  const workload = startWorkload(remote, companies, { clients: 12, reads: 0.3, requests: requests / 2 })
  const callers = startCallers(remote, companies, { clients: 12, requests: requests / 2 })
  const isAnswered = ({ status }: { status?: number | undefined }) => status !== undefined
  return {
    workload,
    callers,
    calls: () => [...callsOf(workload.history), ...callers.calls],
    async untilAnswered(count: number) {
      while (workload.history.filter(isAnswered).length + callers.calls.filter(isAnswered).length < count)
        await sleep(20)
    },
  }
}

test(`of ${REQUESTS} mixed requests each has the rows that it must have, and nothing of what it carried is kept`, {
  timeout: 60_000 + REQUESTS * 20,
}, async () => {
  const { workload, callers, calls } = startAll(REQUESTS)
  await Promise.all([workload.done, callers.done])
  await end('SIGTERM')

  expectNoViolation(`audit of ${calls().length} requests`, await hold(calls(), []), figuresOf(calls()))
  expect({ foreign: workload.foreign, malformed: workload.malformed }).toEqual({ foreign: [], malformed: [] })
  expect(calls().filter(({ status }) => status === undefined)).toEqual([])
})

test(`the same holds across ${KILLS} kills`, { timeout: 60_000 + REQUESTS * 20 }, async () => {
  service = await start(service.port)
  const { workload, callers, calls, untilAnswered } = startAll(Number.POSITIVE_INFINITY)
  const kills: Kill[] = []

  for (let kill = 1; kill <= KILLS; kill++) {
    await untilAnswered((kill * REQUESTS) / (KILLS + 1))
    const from = performance.now()
    await end('SIGKILL')
    kills.push({ from, until: performance.now() })
    service = await start(service.port)
  }
  await untilAnswered(REQUESTS)
  await Promise.all([workload.stop(), callers.stop()])
  await end('SIGTERM')

  expectNoViolation(
    `audit of ${calls().length} requests, ${KILLS} kills`,
    await hold(calls(), kills),
    figuresOf(calls()),
  )
})

test('a service that is killed while it links the audit leaves no half, and the next one goes on', {
  timeout: 120_000,
}, async () => {
  service = await start(service.port)
  const admin = service.remote.as((await service.remote.as().post('/auth/login', SYSTEM)).expect(200).accessToken)
  const holder = new pg.Client(databaseUrl)
  await holder.connect()
  await holder.query('begin')
  // The job reads and computes; it can insert no link until this lock is released.
  await holder.query('lock table audit_links in share mode')
  ;(await admin.put('/notifications/read-all')).expect(200)
  await until(async () => (await look.countEverywhere(WAITS_FOR_LINKS)) > 0)
  await end('SIGKILL')
  await holder.end()

  expect(await look.count(CUT_CHAINS)).toBe(0)
  service = await start(service.port)
  await until(async () => (await look.count(UNLINKED)) === 0)
  await end('SIGTERM')
  const verified = await atrium('audit verify', { env: { DATABASE_URL: databaseUrl } })
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^default: \d+ rows? fits?\./m) })
  expectNoViolation(
    'killed while it links',
    (await checkStanding(look)).filter(({ id }) => id === 'I20'),
  )
})

const SYSTEM = { username: 'admin', password: 'admin123' }
const WAITS_FOR_LINKS = `select count(*) from pg_locks where relation = 'audit_links'::regclass and not granted`
const UNLINKED = `select count(*) from audit_operations o where not exists (
  select 1 from audit_links l where l.tenant_id = o.tenant_id and l.id = o.id)`
const CUT_CHAINS = `select count(*) from audit_chains c where last_id <> coalesce(
  (select max(id) from audit_links l where l.tenant_id = c.tenant_id), 0)`
async function until(isSo: () => Promise<boolean>) {
  for (const end = Date.now() + inTime(60_000); Date.now() < end; await sleep(50)) if (await isSo()) return
  throw new Error('it did not come to that')
}

test('no canary, no password and no token is in the audit or in the log', async () => {
  const people = companies.flatMap((company) => company.people)
  const secrets = {
    ...CANARIES,
    ...{ 'the password of an administrator': 'a-long-password', 'the password of a person': 'secret-1' },
    ...Object.fromEntries(people.map(({ id, token }) => [`the token of ${id}`, token.slice(-24)])),
  }
  const log = logs.join('\n')
  const found: string[] = []
  for (const [name, secret] of Object.entries(secrets)) {
    if (log.includes(secret)) found.push(`${name} in the log: ${around(log, secret)}`)
    const rows = await look.rows('select a::text as row from audit_operations a where a::text like $1 limit 1', [
      `%${secret}%`,
    ])
    if (rows[0]) found.push(`${name} in the audit: ${rows[0].row}`)
  }
  expect(found).toEqual([])
  expect(await look.count(`select count(*) from audit_operations where path ~ '[?#]'`)).toBe(0)

  // That none was found means something only if they were sent, and if what was searched is what was written.
  const lines = log.split('\n').filter((line) => line.includes('"msg":"request"')).length
  const carried = await look.count('select count(*) from tasks where title like $1', [`%${CANARIES.body}%`])
  const rows = await look.count('select count(*) from audit_operations')
  report('searched', [], { logLines: lines, auditRows: rows, tasksThatCarryACanary: carried })
  expect(lines).toBeGreaterThan(REQUESTS)
  expect(carried).toBeGreaterThan(REQUESTS / 50)
})

/** From the order to the end of the process: until then it may answer. */
interface Kill {
  from: number
  until: number
}

/** Compares the audit with what the clients were answered. */
async function hold(calls: readonly Call[], kills: readonly Kill[]) {
  const rows = await look.rows<{ id: string; tenant: number; user: number | null; status: number }>(
    `select request_id as id, tenant_id::float8 as tenant, user_id::float8 as user, status from audit_operations
      where request_id = any ($1)`,
    [calls.map(({ id }) => id)],
  )
  const byId = Map.groupBy(rows, ({ id }) => id)
  const rowsOf = ({ id }: Call) => byId.get(id) ?? []
  const known = calls.filter(({ status }) => status !== undefined)
  const noted = known.filter(({ isNoted }) => isNoted)
  const writes = noted.filter(({ isWrite, status }) => isWrite && status! < 400)
  const others = noted.filter((call) => !writes.includes(call))
  const isLate = ({ answeredAt }: Call) =>
    kills.some(({ from, until }) => answeredAt > from - BEHIND_MS && answeredAt <= until)
  const isTrue = (call: Call) =>
    rowsOf(call).every(
      ({ tenant, user, status }) =>
        tenant === call.tenant && status === call.status && (call.user === undefined || user === call.user),
    )
  const figure = (id: string, sentence: string, checked: Call[], isBroken: (call: Call) => boolean) => {
    const broken = checked.filter(isBroken)
    for (const call of broken.slice(0, 3)) console.log(id, call, rowsOf(call))
    return { id, sentence, checked: checked.length, violations: broken.length }
  }
  return [
    figure('I3', 'an acknowledged write has exactly one row', writes, (call) => rowsOf(call).length !== 1),
    figure(
      'A1',
      'a refusal, a read of what is not there, a sign-in that failed and a download have exactly one row',
      others.filter((call) => !isLate(call)),
      (call) => rowsOf(call).length !== 1,
    ),
    figure(
      'A2',
      'what was answered just before a kill has no second row',
      others.filter(isLate),
      (call) => rowsOf(call).length > 1,
    ),
    figure('A3', 'the row says who it was, in which tenant, and how it ended', noted, (call) => !isTrue(call)),
    figure(
      'A4',
      'reads of what one may see, and what nobody in particular tried, have none',
      known.filter(({ isNoted }) => !isNoted),
      (call) => rowsOf(call).length > 0,
    ),
    figure(
      'A5',
      'what was never answered has at most one',
      calls.filter(({ status }) => status === undefined),
      (call) => rowsOf(call).length > 1,
    ),
  ]
}

/** How often each kind of request ended in which way. */
function figuresOf(calls: readonly Call[]): Record<string, Record<string, number>> {
  const kinds: Record<string, Record<string, number>> = {}
  for (const { kind, status = 0 } of calls) {
    kinds[kind] ??= {}
    kinds[kind][status] = (kinds[kind][status] ?? 0) + 1
  }
  return kinds
}

function around(text: string, part: string): string {
  const at = text.indexOf(part)
  return text.slice(Math.max(0, at - 200), at + 100)
}
