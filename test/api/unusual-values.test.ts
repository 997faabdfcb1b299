import { afterAll, describe, expect, test } from 'vitest'
import { Client } from '../../src/data/connections/client.ts'
import { openConnection } from '../../src/data/wire/connection.ts'
import { openInstance } from '../support/instance.ts'
import { againOn } from '../support/patience.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

/** What an import or an operator's SQL may have put into a row, and what a database may be set to. */
const { world, tenant } = await openWorldWithTenant()
const client = new Client({ connectionString: world.databaseUrl })
await client.connect()
const connection = openConnection(client, { shared: true })
afterAll(() => connection.destroy(new Error('the test is over')))
/** The row of a query, as the service reads it. */
const read = async (text: string, value: string | null) =>
  (await connection.send([{ prepared: { name: '', text }, values: [value] }]))[0]!.rows[0]

const INSTANTS = ['infinity', '-infinity', '0044-03-15 12:00:00 BC', '294276-12-31 23:59:59', '0001-01-01 00:00:00']
const columnsOf = (type: string) =>
  world.look.rows<{ name: string; column: string }>(
    `select c.relname::text as name, a.attname::text as column
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.atttypid = $1::regtype and not a.attisdropped`,
    [type],
  )
const VALUES: [type: string, texts: string[]][] = [
  ['timestamptz', INSTANTS],
  ['timestamp', INSTANTS],
  ['date', ['infinity', '-infinity', '0044-03-15 BC', '5874897-12-31']],
  ['numeric', ['NaN', 'Infinity', '1e400']],
  ['float8', ['NaN', '-Infinity', '1e-320']],
  ['bigint', ['9223372036854775807', '-9223372036854775808']],
  ['integer', ['2147483647', '-2147483648']],
  ['json', ['{"a":1e999}', '"\\u0000"', 'null', '{"a":1,"a":2}']],
  ['jsonb', ['{"__proto__":{}}', '1e999', 'null']],
  ['text', ['', '\u2028', '\u{10ffff}']],
  ['text[]', ['{}', '{NULL,"a\\\\"}', '{{a},{b}}', '[2:3]={a,b}']],
  ['bigint[]', ['{}', '{NULL,1}', '{{1},{2}}']],
  ['boolean', ['t', 'f']],
  ['interval', ['178000000 years', '-1 mon']],
  ['bytea', ['\\x00ff']],
  ['inet', ['::1/128']],
  ['tstzrange', ['empty', '(,infinity]']],
]

test('the types of all columns are among them', async () => {
  const types = await world.look.rows<{ type: string }>(
    `select distinct format_type(a.atttypid, null) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
  )
  const named = await world.look.rows<{ type: string }>(
    `select format_type(type::regtype, null) as type from unnest($1::text[]) type`,
    [VALUES.map(([type]) => type)],
  )
  const values = new Set(named.map(({ type }) => type))
  expect(types.map(({ type }) => type).filter((type) => !values.has(type))).toEqual([])
})

describe('a value', () => {
  test.each(VALUES)('of type %s is read, whatever it is', async (type, texts) => {
    for (const text of [...texts, null])
      expect(await read(`select $1::text::${type} as value`, text)).toHaveProperty('value')
  })

  test.each([
    ['infinity', '9999-12-31', 'T23:59:59.999Z'],
    ['12000-01-01', '9999-12-31', 'T23:59:59.999Z'],
    ['-infinity', '0001-01-01', 'T00:00:00.000Z'],
    ['0044-03-15 BC', '0001-01-01', 'T00:00:00.000Z'],
  ])('that is no instant of our calendar is read as the nearest: %s', async (text, day, time) => {
    const both = 'select $1::text::timestamptz as instant, $1::text::date as day'
    expect(await read(both, text)).toEqual({ instant: day + time, day })
  })
})

test('an end that never comes keeps a tenant open, and people from before our era are listed', async () => {
  await world.look.rows(`update tenants set expired_at = 'infinity' where id = $1`, [tenant.id])
  await world.look.rows(`update users set created_at = '0044-03-15 BC' where tenant_id = $1`, [tenant.id])
  const { items } = await world.as(tenant.administrator).read('/users')
  expect(items).toMatchObject([{ createdAt: '0001-01-01T00:00:00.000Z' }])
})

test('a database that is set to write dates otherwise is read as any other', async () => {
  const name = new URL(world.databaseUrl).pathname.slice(1)
  await world.look.rows(`alter database ${name} set datestyle to 'German, DMY'`)
  await world.look.rows(`alter database ${name} set timezone to 'America/St_Johns'`)
  await world.look.rows(`alter database ${name} set intervalstyle to 'sql_standard'`)
  const other = await openInstance(world.databaseUrl)
  const { items } = await other.as(world.admin).read('/users')
  expect(items[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  const task = { title: 'Due', dueDate: '2026-12-24' }
  const { id } = await world.givenProject(world.admin)
  const made = await other.as(world.admin).create(`/projects/${id}/tasks`, task)
  expect(made).toMatchObject({ dueDate: '2026-12-24' })
})

test('every instant of every table may be infinite, and each list is still answered', async () => {
  const home = await world.givenTenant()
  const project = await world.givenProject(home.administrator)
  await world.givenTask(home.administrator, project)
  // A job may lock the same rows in another order.
  for (const { name, column } of await columnsOf('timestamptz'))
    await againOn('40P01', () => world.look.rows(`update ${name} set ${column} = 'infinity'`)).catch(ruledOut)
  for (const path of ['/users', '/projects', `/projects/${project.id}/tasks`, '/approvals', '/events', '/auth/me'])
    expect((await world.as(home.administrator).get(path)).status, path).toBeLessThan(500)
})

/** A check, a trigger or its being generated forbids the value: then no row can have it. */
function ruledOut(error: Error & { code?: string }) {
  if (!/^(23|P0001|42501|0A000|428C9)/.test(error.code ?? '')) throw error
}
