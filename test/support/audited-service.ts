import { expect } from 'vitest'
import { type Call, callsOf, startCallers } from './audited-calls.ts'
import { CANARIES, planted } from './canaries.ts'
import { cloneDatabase, openInspector } from './database.ts'
import { newFolder } from './folder.ts'
import { until } from './patience.ts'
import { type ServiceProcess, startProcess } from './service.ts'
import { foundCompanies, startWorkload } from './workload.ts'

/** A service whose clients do all that the audit has a rule for. @param env of its first process */
export async function openAudited(env: Record<string, string> = {}) {
  const databaseUrl = await cloneDatabase()
  const look = await openInspector(databaseUrl)
  const folder = newFolder()
  /** what each process has written, those that were killed included */
  const logs: string[] = []
  let service: ServiceProcess | undefined
  await start(env)
  const companies = await foundCompanies(service!.remote)
  return { databaseUrl, look, start, end, startAll, hold, expectNothingKept }

  async function start(more: Record<string, string> = {}) {
    const env = { LOG_LEVEL: 'trace', FILE_STORAGE_ROOT: folder, ...more }
    service = await startProcess({ databaseUrl, env, ...(service && { port: service.port }) })
  }

  async function end(signal: NodeJS.Signals) {
    await service!.end(signal)
    logs.push(service!.output())
  }

  /** Half of the requests are the workload's, half those of the callers. */
  function startAll(requests: number) {
    const remote = () => planted(service!.remote)
    const workload = startWorkload(remote, companies, { clients: 12, reads: 0.3, requests: requests / 2 })
    const callers = startCallers(remote, companies, { clients: 12, requests: requests / 2 })
    const calls = () => [...callsOf(workload.history), ...callers.calls]
    const answered = () => calls().filter(({ status }) => status !== undefined)
    return {
      ...{ workload, callers, calls, answered },
      untilAnswered: (count: number) => until(() => answered().length >= count),
    }
  }

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

  /** No canary, no password and no token is in the audit or in the log. @param requests how many there were at least */
  async function expectNothingKept(requests: number) {
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
    expect(log.split('\n').filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(requests)
    expect(await look.count('select count(*) from tasks where title like $1', [`%${CANARIES.body}%`])).toBeGreaterThan(
      0,
    )
  }
}
