import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cleanupsOf } from '../../src/app.ts'
import { oldInvalidations } from '../../src/data/changes/changes.ts'
import { type CleanupJob, runCleanup } from '../../src/data/jobs/cleanup.ts'
import { expiredClaims } from '../../src/data/jobs/expired-claims.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { retention } from '../../src/domains/audit/audit.actions.ts'
import { extendChain } from '../../src/domains/audit/chain/extend.ts'
import { endedSessions } from '../../src/domains/auth/auth.actions.ts'
import { testConfig } from '../support/config.ts'
import { SERVICE_ROLE } from '../support/database.ts'
import { domains } from '../support/domains.ts'
import { openWorld, type Tenant, type World } from '../support/world.ts'

let world: World
let tenant: Tenant
let other: Tenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  other = await world.givenTenant()
})
afterAll(() => world?.close())

const OLD_AUDIT = 'old audit rows'
/** Rows without a link stay. */
async function linkAll(tenantId: number) {
  while (await extendChain(world.database, tenantId));
}
const keep = (days: number, options = {}, chores: CleanupJob[] = retention(days)) =>
  runCleanup(world.database, chores, options)

describe('with AUDIT_RETENTION_DAYS', () => {
  beforeEach(() => world.look.rows('delete from audit_operations'))

  /** Rows of so many days ago, one for each, written in the order of their time. */
  async function givenRows(tenantId: number, ...ages: number[]) {
    await world.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       select $1, 'r', 'PUT', '/', '/', 200, 1, '', '', now() - age * interval '1 day' from unnest($2::float[]) as age order by age desc`,
      [tenantId, ages],
    )
    await linkAll(tenantId)
  }
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

  test('of 0 nothing ever goes', async () => {
    await givenRows(tenant.id, 40_000)
    expect(await keep(0)).toEqual({})
    expect(await agesOf(tenant.id)).toEqual([40_000])
  })

  test('they go in batches, each a transaction of its own', async () => {
    await givenRows(tenant.id, ...Array.from({ length: 25 }, (_, at) => 100 + at))
    const [audit] = retention(30)
    const batches = new Map<object, number>()
    const watched: CleanupJob = {
      what: OLD_AUDIT,
      async remove(tx, most) {
        const removed = await audit!.remove(tx, most)
        if (removed > 0) batches.set(tx, removed + (batches.get(tx) ?? 0))
        return removed
      },
    }
    await runCleanup(world.database, [watched], { most: 10 })
    expect([...batches.values()]).toEqual([10, 10, 5])
    expect(await agesOf(tenant.id)).toEqual([])
  })

  test('the oldest go first, and a sweep that is stopped leaves the rest for the next', async () => {
    await givenRows(tenant.id, 31, 35, 34, 32, 33)
    const stopping = new AbortController()
    const [audit] = retention(30)
    const once: CleanupJob = {
      what: OLD_AUDIT,
      remove: (tx, most) => {
        stopping.abort()
        return audit!.remove(tx, most)
      },
    }
    const first = await runCleanup(only(tenant.id), [once], { most: 2, stopping: stopping.signal })

    expect(first).toEqual({ [OLD_AUDIT]: 2 })
    expect(await agesOf(tenant.id)).toEqual([31, 32, 33])
    await keep(30)
    expect(await agesOf(tenant.id)).toEqual([])
  })

  test('two concurrent replicas remove each row once, and none that is young', async () => {
    const ages = Array.from({ length: 600 }, (_, at) => 20 + at / 10 + 0.05)
    await givenRows(tenant.id, ...ages)
    await givenRows(other.id, ...ages)
    const old = ages.filter((age) => age > 30).length

    const removed = await Promise.all([1, 2, 3].map(() => keep(30, { most: 50 })))
    const left = await keep(30)

    const sum = [...removed, left].reduce((sum, { [OLD_AUDIT]: count }) => sum + count!, 0)
    expect(sum).toBe(2 * old)
    for (const { id } of [tenant, other]) expect((await agesOf(id)).length).toBe(ages.length - old)
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

  /** The database as one that knows a single tenant. */
  function only(tenantId: number): Database {
    return {
      ...world.database,
      async send(id, calls) {
        const landings = await world.database.send(id, calls)
        for (const [at, { prepared }] of calls.entries())
          if (/from "tenants"/.test(prepared.text)) landings[at] = { rows: [{ id: tenantId }], affected: 1 }
        return landings
      },
    }
  }
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
      await client.query(`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`, [
        SERVICE_ROLE,
        String(tenantId),
      ])
      const { rows } = await client.query(sql)
      await client.query('commit')
      return rows[0]
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }
  async function givenRows(tenantId: number, age: string, count = 1) {
    await world.look.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       select $1, 'r', 'PUT', '/', '/', 200, 1, '', '', now() - $2::interval from generate_series(1, $3)`,
      [tenantId, age, count],
    )
    await linkAll(tenantId)
  }
  const left = (tenantId: number) =>
    world.look.count('select count(*) from audit_operations where tenant_id = $1', [tenantId])
  beforeEach(() => world.look.rows('delete from audit_operations'))

  test('does not reach into another tenant', async () => {
    await givenRows(tenant.id, '2 years')
    await givenRows(other.id, '2 years')
    expect(await asService(tenant.id, 'select prune_audit(1, 1000) as n')).toEqual({ n: 1 })
    expect([await left(tenant.id), await left(other.id)]).toEqual([0, 1])
  })

  test('does nothing without a tenant', async () => {
    await givenRows(tenant.id, '2 years')
    await expect(asService('', 'select prune_audit(1, 1000)')).rejects.toThrow('works inside a tenant')
    expect(await left(tenant.id)).toBe(1)
  })

  test.each(['0', '-1', 'null', '-2147483648'])('does not touch the last day, asked for %s days', async (days) => {
    await givenRows(tenant.id, '23 hours')
    await expect(asService(tenant.id, `select prune_audit(${days}, 1000)`)).rejects.toThrow('the last day')
    await asService(tenant.id, 'select prune_audit(1, 1000)')
    expect(await left(tenant.id)).toBe(1)
  })

  test('takes at most 10 000 together, and fewer if fewer are requested', async () => {
    await givenRows(tenant.id, '1 year', 10_500)
    expect(await asService(tenant.id, 'select prune_audit(30, 2147483647) as n')).toEqual({ n: 10_000 })
    expect(await asService(tenant.id, 'select prune_audit(30, 7) as n')).toEqual({ n: 7 })
    expect(await asService(tenant.id, 'select prune_audit(2147483647, 1000) as n')).toEqual({ n: 0 })
  })

  test('leaves it to the other if two come together', async () => {
    await givenRows(tenant.id, '2 years')
    await givenRows(other.id, '2 years')
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
    await givenRows(tenant.id, '2 years')
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
  test('each job of the service does its work', async () => {
    const config = testConfig({ AUDIT_RETENTION_DAYS: '30' })
    const failed = vi.spyOn(world.database.log, 'warn')
    await keep(0, {}, cleanupsOf(domains, config))
    expect(failed.mock.calls).toEqual([])
    failed.mockRestore()
  })

  test('what processes have to forget, an hour later', async () => {
    await world.look.rows('delete from invalidations')
    await world.look.rows(
      `insert into invalidations (kind, subject, created_at)
       select 'user', n, now() - n * interval '7 minutes' from generate_series(1, 20) n`,
    )
    expect(await keep(0, { most: 5 }, [oldInvalidations])).toEqual({ [oldInvalidations.what]: 12 })
    expect(await world.look.count('select max(subject) from invalidations')).toBe(8)
  })

  test('claims of keys whose day is over', async () => {
    await world.look.rows(
      `insert into idempotency_keys (tenant_id, user_id, key, expires_at)
       select $1, $2, n::text, now() + (n - 20) * interval '1 hour' + interval '1 minute' from generate_series(1, 40) n`,
      [tenant.id, tenant.administrator.id],
    )
    expect(await keep(0, { most: 6 }, [expiredClaims])).toEqual({ [expiredClaims.what]: 19 })
    expect(await world.look.count('select min(key::int) from idempotency_keys where tenant_id = $1', [tenant.id])).toBe(
      20,
    )
  })

  test('sessions that nobody continued, with their tokens, and the spent tokens of those that live on', async () => {
    const person = await world.givenUser(tenant)
    const alive = async () => (await world.as(person).get('/auth/me')).status
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

    // What ended within the last hour is left for the next time.
    expect(await keep(0, { most: 4 }, endedSessions)).toMatchObject({
      'expired sessions': 10,
      'expired refresh tokens': 13,
    })

    expect(await world.look.count('select count(*) from sessions where user_id = $1', [person.id])).toBe(2)
    expect(await world.look.count(`select count(*) from refresh_tokens where token_hash like 'spent%'`)).toBe(7)
    expect(await alive()).toBe(200)
  })

  test('nobody is waited for: what somebody holds is left for the next time', async () => {
    await world.look.rows(
      `insert into idempotency_keys (tenant_id, user_id, key, expires_at)
       select $1, $2, 'held ' || n, now() - interval '1 day' from generate_series(1, 3) n`,
      [tenant.id, tenant.administrator.id],
    )
    const holder = new pg.Client({ connectionString: world.databaseUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query(`select 1 from idempotency_keys where tenant_id = ${tenant.id} and key = 'held 2' for update`)
    expect(await keep(0, {}, [expiredClaims])).toEqual({ [expiredClaims.what]: 2 })
    await holder.query('rollback')
    await holder.end()
    expect(await keep(0, {}, [expiredClaims])).toEqual({ [expiredClaims.what]: 1 })
  })
})
