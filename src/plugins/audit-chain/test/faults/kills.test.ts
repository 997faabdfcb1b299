import { expect, test } from 'vitest'
import { openAudited } from '#test/audited-service.ts'
import { hold } from '#test/interleave.ts'
import { expectNoViolation } from '#test/invariants.ts'
import { openLayer } from '#test/layer.ts'
import { until } from '#test/patience.ts'
import { settleAudit } from '#test/settled.ts'
import { checkStanding } from '#test/standing.ts'

/** AUDIT_REQUESTS=10000 for the full run. */
const REQUESTS = Number(process.env.AUDIT_REQUESTS ?? 300)
const audited = await openAudited({ DATABASE_TIMEOUT_MS: '60000' })
const { databaseUrl, look, start, end, startAll, expectNothingKept } = audited

test('a service that is killed while it links the audit leaves no half, and another goes on; each request has its rows', async () => {
  // The job reads and computes; it can insert no link until this lock is released.
  const release = await hold(databaseUrl, 'lock table audit_links in share mode')
  const quiet = startAll(REQUESTS / 2)
  await Promise.all([quiet.workload.done, quiet.callers.done])
  await until(async () => expectNoViolation('before the kill', await audited.hold(quiet.calls())))
  const waits = async () => (await look.countEverywhere(WAITS_FOR_LINKS)) > 0
  await until(waits)
  const busy = startAll(Number.POSITIVE_INFINITY)
  await busy.untilAnswered(REQUESTS / 4)
  await until(waits)
  await end('SIGKILL')
  await release()

  expect(await look.count(CUT_CHAINS)).toBe(0)
  // These may have no row, as that is written behind the answer.
  const late = new Set(busy.answered().map(({ id }) => id))
  await start()
  await busy.untilAnswered(late.size + REQUESTS / 4)
  await Promise.all([busy.workload.stop(), busy.callers.stop()])
  await end('SIGTERM')
  const calls = [...quiet.calls(), ...busy.calls()]
  expectNoViolation(`audit of ${calls.length} requests and a kill`, await audited.hold(calls, late))
  await expectNothingKept(REQUESTS / 2)

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
