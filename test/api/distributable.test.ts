import { expect, test } from 'vitest'
import { cloneDatabase, openInspector } from '../support/database.ts'
import { expectNone } from '../support/expect-none.ts'
import { listSent } from '../support/statements.ts'

/** What lets a cluster of Citus hold the tables and run the statements: all of a tenant is on one node. */
const look = await openInspector(await cloneDatabase())

/** Fails with a sentence for each row. */
const expectNoRow = async (sql: string, says: (name: string) => string) => expectNone((await names(sql)).map(says))
const names = async (sql: string, at = look) => (await at.rows<{ name: string }>(sql)).map(({ name }) => name)
const OF_TENANTS = `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'tenant_id' and not attisdropped`
/** That keys and unique indexes carry the tenant, `schema.test.ts` shows. */
test('no shared table points at one of a tenant: Citus has no such keys', async () => {
  await expectNoRow(
    `select conname as name from pg_constraint
        where contype = 'f' and conrelid not in (select name::regclass from (${OF_TENANTS}) t)
          and confrelid in (select name::regclass from (${OF_TENANTS}) t)`,
    (name) => `The foreign key ${name} leads from a shared table to a tenant's, which Citus does not have: remove it`,
  )
})

test('the schema has nothing of what Citus does not take', async () => {
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
  const others = touching.filter(
    ({ prepared, values }) => !prepared.text.includes('"tenant_id"') || !values.includes(42),
  )
  expectNone(others.map(({ prepared }) => `This statement does not carry its tenant: ${prepared.text}`))
})

function tablesOf(sql: string): string[] {
  return [...sql.matchAll(/\b(?:from|join|into|update|using) "(\w+)"/g)].map(([, table]) => table!)
}
