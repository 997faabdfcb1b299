import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cleanupsOf } from '../../src/app.ts'
import { oldInvalidations } from '../../src/data/changes/changes.ts'
import { type CleanupJob, runCleanup } from '../../src/data/jobs/cleanup.ts'
import { retention } from '../../src/domains/audit/audit.actions.ts'
import { endedSessions } from '../../src/domains/auth/auth.actions.ts'
import { testConfig } from '../support/config.ts'
import { SERVICE_ROLE } from '../support/database.ts'
import { domains } from '../support/domains.ts'
import { until } from '../support/patience.ts'
import { settleAudit } from '../support/settled.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant } = await openWorldWithTenant()
const other = await world.givenTenant()
beforeEach(() => world.look.rows('delete from audit_operations'))

const OLD_AUDIT = 'old audit rows'
/** Rows of so many days ago, one for each, written in the order of their time. */
async function givenRows(tenantId: number, ...ages: number[]) {
  await world.look.rows(
    `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
     select $1, 'r', 'PUT', '/', '/', 200, 1, '', '', now() - age * interval '1 day' from unnest($2::float[]) as age order by age desc`,
    [tenantId, ages],
  )
  // Rows that are not settled stay.
  await settleAudit(world.database, tenantId)
}
const keep = (days: number, options = {}, chores: CleanupJob[] = retention(days)) =>
  runCleanup(world.database, chores, options)

describe('with AUDIT_RETENTION_DAYS', () => {
  const agesOf = async (tenantId: number) =>
    (
      await world.look.rows<{ age: number }>(
        `select (extract(epoch from now() - created_at) / 86400)::float as age from audit_operations where tenant_id = $1 order by 1`,
        [tenantId],
      )
    ).map(({ age }) => Math.round(age * 10) / 10)

  test('old rows go, in every tenant, and young ones stay', async () => {
    await givenRows(tenant.id, 400, 91, 90.1, 89.9, 1, 0)
    await givenRows(other.id, 0, 1000)
    await givenRows(1, 365, 30)

    expect(await keep(90)).toEqual({ [OLD_AUDIT]: 5 })

    expect(await agesOf(tenant.id)).toEqual([0, 1, 89.9])
    expect(await agesOf(other.id)).toEqual([0])
    expect(await agesOf(1)).toEqual([30])
    expect(await keep(90)).toEqual({ [OLD_AUDIT]: 0 })
  })

  test('the oldest go first, and a sweep that is stopped leaves the rest for the next', async () => {
    await givenRows(tenant.id, 31, 35, 34, 32, 33)
    const stopping = new AbortController()
    const [audit] = retention(30)
    const once: CleanupJob = {
      what: OLD_AUDIT,
      remove: (tx, most) => {
        if (tx.tenantId === tenant.id) stopping.abort()
        return audit!.remove(tx, most)
      },
    }
    const first = await runCleanup(world.database, [once], { most: 2, stopping: stopping.signal })

    expect(first).toEqual({ [OLD_AUDIT]: 2 })
    expect(await agesOf(tenant.id)).toEqual([31, 32, 33])
    await keep(30)
    expect(await agesOf(tenant.id)).toEqual([])
  })

  test('what fails in one tenant does not keep the others waiting', async () => {
    await givenRows(tenant.id, 100)
    await givenRows(other.id, 100)
    const [audit] = retention(30)
    const stumbling: CleanupJob = {
      what: OLD_AUDIT,
      remove: async (tx, most) => {
        if (tx.tenantId === tenant.id) throw new Error('a stone in the way')
        return audit!.remove(tx, most)
      },
    }
    expect(await runCleanup(world.database, [stumbling])).toEqual({ [OLD_AUDIT]: 1 })
    expect([await agesOf(tenant.id), await agesOf(other.id)]).toEqual([[100], []])
  })
})

describe('the one way in which audit rows go', () => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: world.databaseUrl })
    await client.connect()
  })
  afterAll(() => client?.end())

  /** As the service would, inside a tenant or none. */
  async function asService(tenantId: number | '', sql: string) {
    await client.query('begin')
    try {
      const asRole = `select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`
      await client.query(asRole, [SERVICE_ROLE, String(tenantId)])
      const { rows } = await client.query(sql)
      await client.query('commit')
      return rows[0]
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  const left = (tenantId: number) =>
    world.look.count('select count(*) from audit_operations where tenant_id = $1', [tenantId])

  test('does not reach into another tenant, and does nothing without one', async () => {
    await givenRows(tenant.id, 730)
    await givenRows(other.id, 730)
    expect(await asService(tenant.id, 'select prune_audit(1, 1000) as n')).toEqual({ n: 1 })
    expect([await left(tenant.id), await left(other.id)]).toEqual([0, 1])
    await expect(asService('', 'select prune_audit(1, 1000)')).rejects.toThrow('works inside a tenant')
    expect(await left(other.id)).toBe(1)
  })

  test('does not touch the last day', async () => {
    await givenRows(tenant.id, 23 / 24)
    for (const days of ['0', '-1', 'null', '-2147483648'])
      await expect(asService(tenant.id, `select prune_audit(${days}, 1000)`)).rejects.toThrow('the last day')
    await asService(tenant.id, 'select prune_audit(1, 1000)')
    expect(await left(tenant.id)).toBe(1)
  })

  test('takes at most 10 000 together, and fewer if fewer are requested', async () => {
    await givenRows(tenant.id, ...Array(10_100).fill(365))
    expect(await asService(tenant.id, 'select prune_audit(30, 2147483647) as n')).toEqual({ n: 10_000 })
    expect(await asService(tenant.id, 'select prune_audit(30, 7) as n')).toEqual({ n: 7 })
    expect(await asService(tenant.id, 'select prune_audit(2147483647, 1000) as n')).toEqual({ n: 0 })
  })

  test('leaves it to the other if two come together', async () => {
    await givenRows(tenant.id, 730)
    await givenRows(other.id, 730)
    const first = new pg.Client({ connectionString: world.databaseUrl })
    await first.connect()
    await first.query('begin')
    await first.query(`select pg_advisory_xact_lock(hashtextextended('prune_audit', ${tenant.id}))`)
    expect(await asService(tenant.id, 'select prune_audit(30, 1000) as n')).toEqual({ n: 0 })
    expect(await asService(other.id, 'select prune_audit(30, 1000) as n')).toEqual({ n: 1 })
    await first.end()
    expect(await asService(tenant.id, 'select prune_audit(30, 1000) as n')).toEqual({ n: 1 })
  })

  test('is no way to change or delete otherwise: the service still may not', async () => {
    await givenRows(tenant.id, 730)
    for (const attempt of [
      'delete from audit_operations',
      'truncate audit_operations',
      `update audit_operations set created_at = now() - interval '9 years'`,
      'drop function prune_audit',
      'create or replace function prune_audit(days integer, most integer) returns integer language sql as $$ select 1 $$',
      `alter function prune_audit owner to ${SERVICE_ROLE}`,
    ])
      await expect(asService(tenant.id, attempt), attempt).rejects.toMatchObject({ code: '42501' })
    expect(await left(tenant.id)).toBe(1)
  })

  test('is for the service alone, and looks up nothing by a path that a caller sets', async () => {
    const [found] = await world.look.rows(
      `select proconfig, prosecdef, proacl::text from pg_proc where proname = 'prune_audit'`,
    )
    expect(found).toMatchObject({ prosecdef: true, proconfig: ['search_path=pg_catalog, pg_temp'] })
    expect(found!.proacl).toContain(`${SERVICE_ROLE}=X/`)
    expect(found!.proacl).not.toMatch(/[{,]=X/)
  })
})

describe('what expires does not stay forever', () => {
  /** The service's own cleanup may be at the same rows. */
  const untilIs = (sql: string, wanted: number) => until(async () => expect(await world.look.count(sql)).toBe(wanted))

  test('each job of the service does its work', async () => {
    const config = testConfig({ AUDIT_RETENTION_DAYS: '30' })
    const failed = vi.spyOn(world.database.log, 'warn')
    await keep(0, {}, cleanupsOf(domains, config))
    expect(failed.mock.calls.filter(([, said]) => String(said).endsWith('could not be removed'))).toEqual([])
    failed.mockRestore()
  })

  test('what processes have to forget, an hour later', async () => {
    await world.look.rows('delete from invalidations')
    await world.look.rows(
      `insert into invalidations (kind, subject, created_at)
       select 'user', n, now() - n * interval '7 minutes' from generate_series(1, 20) n`,
    )
    await keep(0, { most: 5 }, [oldInvalidations])
    await untilIs('select max(subject) from invalidations', 8)
  })

  test('sessions that nobody continued, with their tokens, and the spent tokens of those that live on', async () => {
    const person = await world.givenUser(tenant)
    const [session] = await world.look.rows<{ id: string }>('select id from sessions where user_id = $1', [person.id])
    await world.look.rows(
      `with gone as (
         insert into sessions (tenant_id, user_id, expires_at)
         select $1, $2, now() - n * interval '1 day' from generate_series(0, 10) n returning id, expires_at)
       insert into refresh_tokens (tenant_id, session_id, token_hash, expires_at)
       select $1, id, 'of ' || id, expires_at from gone`,
      [tenant.id, person.id],
    )
    await world.look.rows(
      `insert into refresh_tokens (tenant_id, session_id, token_hash, used_at, expires_at)
       select $1, $2, 'spent ' || n, now() - n * interval '1 day', now() - n * interval '1 day' + interval '7 days'
         from generate_series(1, 20) n`,
      [tenant.id, session!.id],
    )

    await keep(0, { most: 4 }, endedSessions)

    // What ended within the last hour is left for the next time.
    await untilIs(`select count(*) from sessions where user_id = ${person.id}`, 2)
    await untilIs(`select count(*) from refresh_tokens where token_hash like 'spent%'`, 7)
    await world.as(person).read('/auth/me')
  })
})
