import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { type Call, callsOf, startCallers } from '../support/audited-calls.ts'
import { CANARIES, planted } from '../support/canaries.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { expectNoViolation } from '../support/invariants.ts'
import { openLayer } from '../support/layer.ts'
import { until } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { settleAudit } from '../support/settled.ts'
import { checkStanding } from '../support/standing.ts'
import { givenFolder } from '../support/uploads.ts'
import { type Company, foundCompanies, startWorkload } from '../support/workload.ts'

/** AUDIT_REQUESTS=10000 for the full run. */
const REQUESTS = Number(process.env.AUDIT_REQUESTS ?? 300)

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

function start(more: Record<string, string> = {}): Promise<ServiceProcess> {
  const env = { LOG_LEVEL: 'trace', FILE_STORAGE_ROOT: folder.root, ...more }
  return startProcess({ databaseUrl, env, ...(service && { port: service.port }) })
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
  const calls = () => [...callsOf(workload.history), ...callers.calls]
  const answered = () => calls().filter(({ status }) => status !== undefined)
  return {
    ...{ workload, callers, calls, answered },
    untilAnswered: (count: number) => until(() => answered().length >= count),
  }
}

test(`of ${REQUESTS} mixed requests each has the rows that it must have, and nothing of what it carried is kept`, async () => {
  const { workload, callers, calls } = startAll(REQUESTS)
  await Promise.all([workload.done, callers.done])
  await end('SIGTERM')

  expectNoViolation(`audit of ${calls().length} requests`, await hold(calls()))
  expect({ foreign: workload.foreign, malformed: workload.malformed }).toEqual({ foreign: [], malformed: [] })
  const unanswered = [
    ...workload.history.filter(({ status }) => status === undefined),
    ...callers.calls.filter(({ answeredAt }) => answeredAt === Number.POSITIVE_INFINITY),
  ]
  expect(unanswered).toEqual([])
})

test('the same holds for a service that is killed while it links the audit, which leaves no half, and another goes on', async () => {
  service = await start({ DATABASE_TIMEOUT_MS: '60000' })
  const holder = new pg.Client(databaseUrl)
  await holder.connect()
  await holder.query('begin')
  // The job reads and computes; it can insert no link until this lock is released.
  await holder.query('lock table audit_links in share mode')
  const quiet = startAll(REQUESTS / 2)
  await Promise.all([quiet.workload.done, quiet.callers.done])
  await until(async () => expectNoViolation('before the kill', await hold(quiet.calls())))
  const waits = async () => (await look.countEverywhere(WAITS_FOR_LINKS)) > 0
  await until(waits)
  const busy = startAll(Number.POSITIVE_INFINITY)
  await busy.untilAnswered(REQUESTS / 4)
  await until(waits)
  await end('SIGKILL')
  await holder.end()

  expect(await look.count(CUT_CHAINS)).toBe(0)
  // These may have no row, as that is written behind the answer.
  const late = new Set(busy.answered().map(({ id }) => id))
  service = await start()
  await busy.untilAnswered(late.size + REQUESTS / 4)
  await Promise.all([busy.workload.stop(), busy.callers.stop()])
  await end('SIGTERM')
  const calls = [...quiet.calls(), ...busy.calls()]
  expectNoViolation(`audit of ${calls.length} requests and a kill`, await hold(calls, late))

  const layer = await openLayer(databaseUrl)
  for (const { id } of await look.rows('select id::float8 from tenants')) await settleAudit(layer, id)
  await layer.close()
  expect(await look.count(UNLINKED)).toBe(0)
  expectNoViolation(
    'links',
    (await checkStanding(look)).filter(({ id }) => id === 'I20'),
  )
})

const WAITS_FOR_LINKS = `select count(*) from pg_locks where relation = 'audit_links'::regclass and not granted`
const UNLINKED = `select count(*) from audit_operations o where not exists (
  select 1 from audit_links l where l.tenant_id = o.tenant_id and l.id = o.id)`
const CUT_CHAINS = `select count(*) from audit_chains c where last_id <> coalesce(
  (select max(id) from audit_links l where l.tenant_id = c.tenant_id), 0)`

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
    const at = log.indexOf(secret)
    if (at >= 0) found.push(`${name} in the log: ${log.slice(Math.max(0, at - 200), at + 100)}`)
    const rows = await look.rows('select a::text as row from audit_operations a where a::text like $1 limit 1', [
      `%${secret}%`,
    ])
    if (rows[0]) found.push(`${name} in the audit: ${rows[0].row}`)
  }
  expect(found).toEqual([])
  expect(await look.count(`select count(*) from audit_operations where path ~ '[?#]'`)).toBe(0)

  // That none was found means something only if they were sent, and if what was searched is what was written.
  expect(log.split('\n').filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(REQUESTS)
  expect(await look.count('select count(*) from tasks where title like $1', [`%${CANARIES.body}%`])).toBeGreaterThan(0)
})

/** Compares the audit with what the clients were answered. @param late of which calls a row may be missing */
async function hold(calls: readonly Call[], late: ReadonlySet<string> = new Set()) {
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
  const isLate = ({ id }: Call) => late.has(id)
  const isTrue = (call: Call) =>
    rowsOf(call).every(
      ({ tenant, user, status }) =>
        tenant === call.tenant && status === call.status && (call.user === undefined || user === call.user),
    )
  const figure = (id: string, sentence: string, checked: Call[], isBroken: (call: Call) => boolean) => {
    const broken = checked.filter(isBroken)
    const examples = broken.slice(0, 3).map((call) => `\n    ${JSON.stringify([call, rowsOf(call)])}`)
    return { id, sentence: sentence + examples.join(''), checked: checked.length, violations: broken.length }
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
