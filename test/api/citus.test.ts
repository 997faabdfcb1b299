import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { expectNone } from '../support/expect-none.ts'
import { listSent } from '../support/statements.ts'

/**
 * `deploy/citus.sql` against the schema, on PostgreSQL: Citus itself is not here. Its functions are stood in for by some
 * that refuse what Citus documents to refuse.
 */
let url: string
let look: Inspector
let script: string
beforeAll(async () => {
  url = await cloneDatabase()
  look = await openInspector(url)
  script = await readFile(new URL('../../deploy/citus.sql', import.meta.url), 'utf8')
})
afterAll(() => look?.close())

/** Fails with a sentence for each row. */
const expectNoRow = async (sql: string, says: (name: string) => string) => expectNone((await names(sql)).map(says))
const names = async (sql: string) => (await look.rows<{ name: string }>(sql)).map(({ name }) => name)
const OF_TENANTS = `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'tenant_id' and not attisdropped`
/** Asked only by the coordinator, so it stays there. */
const LOCAL = ['schema_migrations']
const called = (name: string) =>
  [...script.matchAll(new RegExp(`select ${name}\\('([^']+)'`, 'g'))].map(([, table]) => table!)

test('every key of a tenant’s table carries the tenant: primary, unique, and to another tenant’s table', async () => {
  await expectNoRow(
    `select index.indexrelid::regclass::text as name from pg_index index
        where indrelid in (select name::regclass from (${OF_TENANTS}) t) and (indisunique or indisexclusion)
          and not exists (select from pg_attribute where attrelid = indrelid and attnum = any (indkey) and attname = 'tenant_id')`,
    (name) => `The unique index ${name} lacks tenant_id, without which Citus cannot hold it on one worker: add it`,
  )
  await expectNoRow(
    `select conname as name from pg_constraint
        where contype = 'f' and conrelid in (select name::regclass from (${OF_TENANTS}) t)
          and confrelid in (select name::regclass from (${OF_TENANTS}) t)
          and not exists (select from unnest(conkey, confkey) as pair (here, there)
            join pg_attribute a on a.attrelid = conrelid and a.attnum = here
            join pg_attribute b on b.attrelid = confrelid and b.attnum = there
           where a.attname = 'tenant_id' and b.attname = 'tenant_id')`,
    (name) => `The foreign key ${name} lacks tenant_id, without which Citus cannot hold it on one worker: add it`,
  )
  // No shared table may point at a tenant's: Citus has no such keys.
  await expectNoRow(
    `select conname as name from pg_constraint
        where contype = 'f' and conrelid not in (select name::regclass from (${OF_TENANTS}) t)
          and confrelid in (select name::regclass from (${OF_TENANTS}) t)`,
    (name) => `The foreign key ${name} leads from a shared table to a tenant's, which Citus does not have: remove it`,
  )
})

test('the schema has nothing of what Citus does not take', async () => {
  const triggers = await names(
    `select format('drop trigger %I on %s;', tgname, tgrelid::regclass) as name from pg_trigger where not tgisinternal`,
  )
  expectNone(
    triggers.filter((drop) => !script.includes(drop)).map((drop) => `deploy/citus.sql lacks the line: ${drop}`),
  )
  await expectNoRow(
    `select polrelid::regclass::text as name from pg_policy where pg_get_expr(polqual, polrelid) ~* 'select'`,
    (name) =>
      `The policy of ${name} contains a subquery, which Citus does not support: compare with the setting itself`,
  )
  await expectNoRow(
    `select conname as name from pg_constraint where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype <> 'a')`,
    (name) => `The key ${name} sets columns when a row goes, which Citus refuses: let what reads it look for the row`,
  )
  await expectNoRow(
    `select rulename as name from pg_rules where schemaname = 'public'`,
    (name) => `${name} is a rule, which Citus does not have: use a statement`,
  )
  await expectNoRow(
    `select attrelid::regclass || '.' || attname as name from pg_attribute
        where attidentity <> '' and atttypid <> 'bigint'::regtype and attnum > 0`,
    (name) => `The identity ${name} is no bigint, which Citus demands: make it one`,
  )
})

test('every statement on a tenant’s table carries its tenant, so that it is for one worker', async () => {
  const ofTenants = new Set(await names(OF_TENANTS))
  const statements = await listSent()
  const touching = statements.filter(({ prepared }) => tablesOf(prepared.text).some((table) => ofTenants.has(table)))

  expect(touching.length).toBeGreaterThan(100)
  for (const { prepared, values } of touching) {
    expect(prepared.text).toContain('"tenant_id"')
    expect(values, prepared.text).toContain(42)
  }
})

test('the functions that are called beside rows go to the workers too', async () => {
  const ours = await names(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace`)
  const besideRows = (await listSent()).flatMap(({ prepared: { text } }) =>
    tablesOf(text).length ? ours.filter((name) => new RegExp(`\\b${name}\\(`).test(text)) : [],
  )

  expect(called('create_distributed_function').map((signature) => signature.replace(/\(.*/, ''))).toEqual([
    ...new Set(besideRows),
  ])
})

test('the script distributes every table of a tenant, copies every shared one, and leaves every key as it was', async () => {
  const keys = `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as is
                  from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`
  const before = await look.rows(keys)
  const client = new pg.Client({ connectionString: url })
  await client.connect()

  await client.query(STAND_INS)
  await client.query(script)

  const { rows } = await client.query('select relation::text as name, kind from pg_temp.moved')
  await client.end()
  const moved = (kind: string) => rows.filter((row) => row.kind === kind).map(({ name }) => name)
  const all = await names(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const ofTenants = await names(OF_TENANTS)
  expect(moved('distributed').sort()).toEqual(ofTenants.sort())
  expect([...moved('reference'), ...LOCAL].sort()).toEqual(all.filter((name) => !ofTenants.includes(name)).sort())
  expect(await look.rows(keys)).toEqual(before)
  expect(before.length).toBeGreaterThan(60)
})

function tablesOf(sql: string): string[] {
  return [...sql.matchAll(/\b(?:from|join|into|update|using) "(\w+)"/g)].map(([, table]) => table!)
}

/** What Citus says of itself: a table is moved alone, and its unique keys carry the column it is distributed by. */
const STAND_INS = `
create temporary table moved (relation regclass, kind text);

create function create_distributed_table(relation regclass, distribution text, colocate_with text default 'default')
returns void language plpgsql as $$ begin
  if exists (select from pg_constraint where contype = 'f' and relation in (conrelid, confrelid)) then
    raise 'a key still ties % to another table', relation;
  end if;
  if exists (select from pg_index where indrelid = relation and indisunique and not exists (
       select from pg_attribute where attrelid = relation and attnum = any (indkey) and attname = distribution)) then
    raise 'a unique key of % lacks %', relation, distribution;
  end if;
  if colocate_with <> 'default' and not exists (select from pg_temp.moved m where m.relation = colocate_with::regclass) then
    raise '% is not distributed yet', colocate_with;
  end if;
  insert into pg_temp.moved values (relation, 'distributed');
end $$;

create function create_reference_table(relation regclass) returns void language sql as
  $$ insert into pg_temp.moved values (relation, 'reference') $$;

create function create_distributed_function(signature regprocedure) returns void language sql as '';
`
