import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatePart, generateSchema } from '../../tools/types.ts'
import { cloneDatabase, openInspector, SERVICE_ROLE } from '../support/database.ts'
import { apart, outside } from '../support/domains.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { isOnCluster } from '../support/servers.ts'

/** The second and the third wall: keys that cannot point at another tenant's row, and row security. */
const url = await cloneDatabase()
const look = await openInspector(url)

/** Tables that belong to no tenant. Anyone who adds one says here why. */
const SHARED = [
  'erasures', // the proofs of erased tenants: counts, which no request is shown
  'invalidations', // what processes may not remember any longer: kinds and ids, which no request is shown
  'menus', // the pages of the front ends; who sees them is each tenant's own
  'order_tenants', // whose order it is: a payment provider knows the number alone
  'permissions', // the catalogue: the same words for everybody
  'schema_migrations', // of the database itself
  'table_facts', // what each table is
  'tenants', // the directory of tenants
]

/** Fails with a sentence for each row. */
const expectNoRow = async (sql: string, says: (name: string) => string) => expectNone((await names(sql)).map(says))
const names = async (sql: string) => (await look.rows<{ name: string }>(sql)).map(({ name }) => name)
const protectedTables = `select cls.oid, cls.relname as name from pg_class cls join pg_attribute att on att.attrelid = cls.oid
  where att.attname = 'tenant_id' and not att.attisdropped and cls.relnamespace = 'public'::regnamespace and cls.relkind in ('r', 'p')`

test('every table has a tenant_id, or is on the short list of shared ones', async () => {
  const all = await names(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  )
  const guarded = await names(`${protectedTables} order by 2`)
  expect(all.filter((name) => !guarded.includes(name))).toEqual(SHARED)
  expect(guarded.length).toBeGreaterThan(10)
})

/** Functions that run as the owner. Anyone who adds one says here why. */
const OF_THE_OWNER = [
  'erase_rows', // removes rows of the tenant that was entered, if it is closing and its time is over
  'finish_erasure', // removes that tenant itself, and completes the proof
  'prepare_node', // lets the ids of this server rise, and makes its table of changes; it shows no row and changes none
  'prune_audit', // removes what the service may not, of the tenant that was entered
  'refuse_flights_without_tenant', // gives the role a tenant that is none, on connections between nodes
]

test('nothing else in the schema holds rows or looks past the policies', async () => {
  await expectNoRow(
    `select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('v', 'm', 'f')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
    (name) => `${name} is a view or a foreign table, which row security does not hold: read the tables in a statement`,
  )
  expect(
    await names(
      `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`,
    ),
  ).toEqual(OF_THE_OWNER)
})

/** That row security is forced on each is proven at every start: see `start-refuses-open-tables.test.ts`. */
describe('every protected table', () => {
  test('has a tenant_id that is never null', async () => {
    await expectNoRow(
      `select t.name from (${protectedTables}) t join pg_attribute a on a.attrelid = t.oid and a.attname = 'tenant_id' where not a.attnotnull`,
      (name) => `${name} has a tenant_id that may be null: make it not null`,
    )
  })

  test('has a primary key, and each of its unique keys begins with tenant_id', async () => {
    await expectNoRow(
      `select t.name from (${protectedTables}) t where not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
      (name) => `${name} has no primary key: add primary key (tenant_id, id)`,
    )
    await expectNoRow(
      `select i.indexrelid::regclass::text as name from (${protectedTables}) t join pg_index i on i.indrelid = t.oid
           join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0] where i.indisunique and a.attname <> 'tenant_id'`,
      (name) =>
        `The unique index ${name} does not begin with tenant_id, so two tenants cannot have the same: put it first`,
    )
  })

  test('has no index but such as begin with tenant_id, or follow a key to a shared table', async () => {
    await expectNoRow(
      `select i.indexrelid::regclass::text as name from (${protectedTables}) t join pg_index i on i.indrelid = t.oid
           left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
          where a.attname is distinct from 'tenant_id'
            and not exists (select from pg_constraint c where c.conrelid = t.oid and c.contype = 'f' and c.conkey = array[a.attnum])`,
      (name) =>
        `The index ${name} does not begin with tenant_id, so a tenant's rows are not together in it: put it first`,
    )
  })

  test('is pointed at only by foreign keys that carry the tenant', async () => {
    const keys = await look.rows<{ name: string; from: string[]; to: string[] }>(
      `select c.conname as name,
              array(select attname::text from unnest(c.conkey) with ordinality k (n, o) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by o) as "from",
              array(select attname::text from unnest(c.confkey) with ordinality k (n, o) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by o) as "to"
         from pg_constraint c join (${protectedTables}) t on t.oid = c.confrelid where c.contype = 'f'`,
    )
    expect(keys.length).toBeGreaterThan(10)
    for (const { name, from, to } of keys) {
      expect(from, name).toContain('tenant_id')
      expect(from.indexOf('tenant_id'), name).toBe(to.indexOf('tenant_id'))
    }
  })

  test('belongs to a tenant that exists, directly or by the row it hangs on', async () => {
    const loose = await names(
      `with recursive held (oid) as (
         select conrelid from pg_constraint where contype = 'f' and confrelid = 'tenants'::regclass
         union select c.conrelid from pg_constraint c join held on held.oid = c.confrelid where c.contype = 'f')
       select t.name from (${protectedTables}) t where t.oid not in (select oid from held)`,
    )
    expectOnlyExceptions(
      'a table that does not refer to its tenant',
      loose.map((place) => ({
        place,
        says: `${place} may have rows of a tenant that does not exist: refer to tenants`,
      })),
    )
  })
})

describe('the role of the service', () => {
  test('is nobody: it owns nothing, logs in nowhere, bypasses nothing and is in no other role', async () => {
    const [role] = await look.rows(
      `select oid, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication, rolinherit from pg_roles where rolname = $1`,
      [SERVICE_ROLE],
    )
    const rights = ['super', 'bypassrls', 'createrole', 'createdb', 'replication', 'inherit'].map((it) => `rol${it}`)
    for (const right of rights) expect(role![right], right).toBe(false)
    // Nodes of a cluster connect to each other in it.
    expect(role!.rolcanlogin).toBe(isOnCluster(url))
    expect(await look.count('select count(*) from pg_class where relowner = $1', [role!.oid])).toBe(0)
    expect(await look.count('select count(*) from pg_auth_members where member = $1', [role!.oid])).toBe(0)
  })

  test('may neither change the schema, nor the catalogue, nor what is written for good', async () => {
    for (const [table, verbs] of Object.entries({
      tenants: ['delete'],
      schema_migrations: ['insert', 'update'],
      audit_operations: ['update', 'delete'],
      activities: ['update', 'delete'],
      users: ['truncate', 'references', 'trigger'],
    }))
      for (const verb of verbs) {
        const asked = await look.rows(`select has_table_privilege($1, $2, $3) as may`, [SERVICE_ROLE, table, verb])
        expect(asked, `${verb} ${table}`).toEqual([{ may: false }])
      }
    const create = await look.rows(`select has_schema_privilege($1, 'public', 'create') as may`, [SERVICE_ROLE])
    expect(create).toEqual([{ may: false }])
  })
})

test('src/data/sql/schema.ts is what the migrated database says', async () => {
  const written = await readFile(new URL('../../src/data/sql/schema.ts', import.meta.url), 'utf8')
  const migrations = apart.flatMap(({ migrations }) => migrations ?? [])
  expect(await generateSchema(url, migrations)).toBe(written)
})

test('and so is the schema.ts of each plug-in and domain from outside', async () => {
  for (const domain of apart) {
    if (!domain.migrations) continue
    const part = await generatePart(url, domain.migrations, outside.includes(domain) ? 'atrium' : '#atrium')
    expect(part).toBe(await readFile(join(domain.folder, 'schema.ts'), 'utf8'))
  }
})
