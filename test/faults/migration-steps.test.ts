import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { checksumOf, isSumOf, knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { FAMILIES, type Family, tenantOf } from '../../tools/growth/rows.ts'
import { atriumHere } from '../support/cli-here.ts'
import { createPlainDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { openLockWatch } from '../support/locks-held.ts'
import { inTime } from '../support/patience.ts'

/** Migrations of tables that are large and in use, in more than one batch. HOLD_ROWS=1000000 for the full run, which takes minutes. */
const ROWS = Number(process.env.HOLD_ROWS ?? 6000)
/** What a database is when it grows: the release before the first one that was published ended with this migration. */
const LAST_BEFORE = '0024'
const TENANT = 7
const NAME = '0025_cheaper_writes.sql'

/** Columns that the rows have today, and that the release before did not. */
const LATER = [
  ['tasks', 'is_open', 'boolean'],
  ['files', 'resource_type', 'text'],
  ['files', 'resource_id', 'bigint'],
]

const silent = { info() {}, warn() {}, error() {} }
const opened: Inspector[] = []
afterAll(async () => {
  await Promise.all(opened.map((look) => look.close()))
})

const own = await knownMigrations([OWN_MIGRATIONS])
const before = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= LAST_BEFORE))

/**
 * A database of the release before, with rows, most of whose tasks are done.
 * @param plain it belongs to a role that may do nothing else, so that row security holds for the migrations too
 */
async function givenDatabase({ rows = 0, plain = false } = {}) {
  const superuserUrl = await createPlainDatabase()
  const look = await openInspector(superuserUrl)
  opened.push(look)
  const url = plain ? await givenPlainOwner(superuserUrl, look) : superuserUrl
  await migrate(url, silent, [OWN_MIGRATIONS], { restoring: before })
  if (rows > 0) {
    const tables = new Set(
      (await look.rows<{ name: string }>(`select relname as name from pg_class where relkind = 'r'`)).map(
        ({ name }) => name,
      ),
    )
    /** Not a row of a table that came later. */
    const isThere = (statement: string) => tables.has(/insert into (\w+)/.exec(statement)?.[1] ?? 'tasks')
    const filling = (Object.keys(FAMILIES) as Family[]).flatMap((family) =>
      FAMILIES[family].fill(TENANT, 1, family === 'tasks' ? rows : rows / 10),
    )
    await look.rows(
      [
        ...['begin', 'set local session_replication_role = replica', ...tenantOf(TENANT)],
        ...LATER.map(([table, column, type]) => `alter table ${table} add column ${column} ${type}`),
        ...filling.filter((statement) => isThere(statement)),
        ...LATER.map(([table, column]) => `alter table ${table} drop column ${column}`),
        `update tasks set status = 'DONE' where id % 3 > 0`,
        // There are ten times fewer projects than tasks.
        `update tasks set project_id = 1 where project_id > ${rows / 10}`,
        // Ids that were given by hand are not known to the sequences.
        ...['tasks', 'activities'].map((table) => `select setval('${table}_id_seq', ${rows})`),
        'commit',
      ].join(';\n'),
    )
    await look.rows('vacuum (analyze) tasks')
  }
  return { url, look }
}

async function givenPlainOwner(url: string, look: Inspector): Promise<string> {
  const name = new URL(url).pathname.slice(1)
  await look.rows(`create role owner_${name} login password 'secret'`)
  await look.rows(`alter database ${name} owner to owner_${name}`)
  return Object.assign(new URL(url), { username: `owner_${name}`, password: 'secret' }).href
}

const update = (url: string) => migrate(url, silent, [OWN_MIGRATIONS])

/** It had these rows, and was updated while they were used. */
let grown: Awaited<ReturnType<typeof givenDatabase>>

test(`tables that are in use are held by no migration for a second (${ROWS} tasks)`, async () => {
  grown = await givenDatabase({ rows: ROWS })
  const { url, look } = grown
  const files = `select relname::text as name, relfilenode from pg_class where relname in ('tasks', 'activities') order by 1`
  const filesBefore = await look.rows(files)
  const endWatch = await openLockWatch(url, TENANT, ROWS)

  const { applied } = await update(url)

  const { longest, ...others } = await endWatch()
  report(`${applied.length} migrations of ${ROWS} tasks and activities`, [], { longest, ...others })
  expect(applied).toContain(NAME)
  // A table that was rewritten has another file.
  expect(await look.rows(files)).toEqual(filesBefore)
  expect(longest.ms).toBeLessThan(inTime(1000))
  expect(await look.count(WRONG)).toBe(0)
  expect(await look.count('select count(*) from tasks where not is_open')).toBeGreaterThan(ROWS / 3)
})

test('an owner for whom row security holds fills and proves the rows of all tenants too', async () => {
  const { url, look } = await givenDatabase({ rows: 3000, plain: true })
  await update(url)
  expect(await look.count(WRONG)).toBe(0)
  expect(await look.count('select count(*) from tasks where not is_open')).toBeGreaterThan(1000)
  expect(await look.count('select count(*) from activities where own_project_id is not null')).toBeGreaterThan(1000)
  expect(await look.count('select count(*) from pg_constraint where not convalidated')).toBe(0)
  expect(
    await look.rows(`select has_table_privilege($1, 'activities', 'update') as may`, [new URL(url).username]),
  ).toEqual([{ may: false }])
})

/** Rows whose columns of 0025 are not what the others say. */
const WRONG = `
  select (select count(*) from tasks where is_open is distinct from (status in ('TODO', 'IN_PROGRESS', 'BLOCKED')))
       + (select count(*) from activities where own_project_id is distinct from case when task_id is null then project_id end)`

describe('a database that has applied the first text of 0025', () => {
  const first = readFileSync(new URL('../support/0025_cheaper_writes.first.sql', import.meta.url), 'utf8')
  let old: typeof grown
  beforeAll(async () => {
    old = await givenDatabase({ rows: 100 })
    await old.look.rows(first)
    await old.look.rows('insert into schema_migrations (name, checksum) values ($1, $2)', [NAME, checksumOf(first)])
  })

  test('is backed up before the update, and comes back with these columns right', async () => {
    const until = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= '0028'))
    await migrate(old.url, silent, [OWN_MIGRATIONS], { restoring: until })
    const dir = mkdtempSync(join(tmpdir(), 'atrium-first-text-'))
    const target = await createPlainDatabase()
    const at = (DATABASE_URL: string) => ({ env: { DATABASE_URL, FILE_STORAGE_ROOT: join(dir, 'files') } })
    // The rows of files were made without bytes.
    expect(await atriumHere(`backup ${dir}/old.tar --files sums`, at(old.url))).toMatchObject({ code: 1, out: '' })

    await atriumHere(`restore ${dir}/old.tar`, at(target))

    const look = await openInspector(target)
    opened.push(look)
    expect(await look.count('select count(*) from tasks')).toBe(100)
    expect(await look.count('select count(*) from tasks where not is_open')).toBeGreaterThan(50)
    expect(await look.count(WRONG)).toBe(0)
    rmSync(dir, { recursive: true })
  })

  test('has the migration, and ends in the schema of every other database', async () => {
    const fresh = await givenDatabase()
    expect((await update(old.url)).applied).not.toContain(NAME)
    await update(fresh.url)

    const schema = await schemaOf(fresh.look)
    expect(schema.columns).toContainEqual(expect.objectContaining({ name: 'tasks.is_open', generated: '' }))
    expect(await schemaOf(old.look)).toEqual(schema)
    expect(await schemaOf(grown.look)).toEqual(schema)
    expect(await old.look.count(WRONG)).toBe(0)
    expect((await update(old.url)).applied).toEqual([])
  })

  test('is no licence to change what was applied: any other text is refused', () => {
    const { sql } = own.find(({ name }) => name === NAME)!
    expect(isSumOf(sql, checksumOf(sql))).toBe(true)
    expect(isSumOf(sql, checksumOf(first))).toBe(true)
    expect(isSumOf(sql, checksumOf(`${first} `))).toBe(false)
  })
})

describe('a release that does not know the columns of 0025', () => {
  test('writes beside this one, and the columns are right', async () => {
    const { look } = grown
    const task = `insert into tasks (tenant_id, project_id, title, reporter_id, status, created_at, updated_at)
      values (${TENANT}, 1, 'A task', 1, $1, now(), now()) returning id::float8`
    const [open] = await look.rows(task, ['TODO'])
    const [done] = await look.rows(task, ['DONE'])
    const openness = async () =>
      (await look.rows('select is_open from tasks where id = any ($1) order by id', [[open!.id, done!.id]])).map(
        (row) => row.is_open,
      )
    expect(await openness()).toEqual([true, false])
    await look.rows(
      `update tasks set status = case status when 'TODO' then 'CANCELLED' else 'TODO' end where id = any ($1)`,
      [[open!.id, done!.id]],
    )
    expect(await openness()).toEqual([false, true])
    await look.rows(
      `insert into activities (tenant_id, project_id, task_id, actor_id, action, version, request_id, created_at)
       values (${TENANT}, 1, null, 1, 'PROJECT_CREATED', 0, 'r', now()), (${TENANT}, 1, 1, 1, 'TASK_CREATED', 0, 'r', now())`,
    )
    expect(await look.count(WRONG)).toBe(0)
    const stranger = look.rows(
      `insert into activities (tenant_id, project_id, actor_id, action, version, request_id, created_at)
       values (${TENANT}, 999999, 1, 'PROJECT_CREATED', 0, 'r', now())`,
    )
    await expect(stranger).rejects.toThrow('activities_of_projects')
  })
})

async function schemaOf(look: Inspector) {
  const inPublic = (column: string) => `${column} = 'public'::regnamespace`
  return {
    columns: await look.rows(`
      select c.relname || '.' || a.attname as name, a.atttypid::regtype::text as type, a.attnotnull, a.attgenerated as generated,
             pg_get_expr(d.adbin, d.adrelid) as default, c.reloptions
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where c.relkind = 'r' and ${inPublic('c.relnamespace')} order by c.relname, a.attnum`),
    constraints: await look.rows(`
      select conrelid::regclass::text as table, conname, convalidated, pg_get_constraintdef(oid) as definition
        from pg_constraint where ${inPublic('connamespace')} order by 1, 2`),
    indexes: await look.rows(`
      select pg_get_indexdef(indexrelid) as definition, indisvalid from pg_index join pg_class c on c.oid = indexrelid
       where ${inPublic('c.relnamespace')} order by 1`),
    triggers: await look.rows(
      `select pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1`,
    ),
    // Each database has a role of its own, and a function may name it.
    functions: await look.rows(`
      select regexp_replace(pg_get_functiondef(oid), 'atrium_service_[a-z0-9_]+', 'the service', 'g') as definition from pg_proc where ${inPublic('pronamespace')} and prokind = 'f' order by 1`),
  }
}
