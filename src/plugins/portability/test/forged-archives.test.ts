import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listTables, Refusal, type Table } from '#atrium'
import { testConfig } from '#test/config.ts'
import { newFolder } from '#test/folder.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { listRoutes } from '#test/routes.ts'
import { seedTenant } from '#test/samples.ts'
import { skippedOnCluster } from '#test/servers.ts'
import { openWorldWithFiles } from '#test/uploads.ts'
import type { Tenant } from '#test/world.ts'
import { numberAll } from '../../../data/events/number-events.ts'
import { openSession } from '../../../domains/auth/auth.actions.ts'
import { openStorage } from '../../../domains/files/files.ts'
import { importTenant } from '../archive/import-tenant.ts'
import { verifyTenantArchive } from '../archive/verify-archive.ts'
import { withheldOf } from '../archive/withheld.ts'
import { exportAs, forge, type ReadArchive, readArchive } from './archive.ts'

/** Sums prove that an archive is whole, and not who wrote it: its rows may hold anything. */
const { folder, world, upload } = await openWorldWithFiles()
const storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder.root }).files)
let source: Tenant
let archive: ReadArchive
let imported: Table[]
const dir = newFolder()
const quiet = () => {}
let count = 0

beforeAll(async () => {
  source = await world.givenTenant()
  await seedTenant(world, source, 'of the source')
  await upload.file(source.administrator)
  await numberAll(world.database, source.id)
  archive = await exported()
  const client = await world.database.connectAlone()
  const isKept = (table: Table) => table.ofTenants && withheldOf(table).isImported && withheldOf(table).rows !== true
  imported = (await listTables(client)).filter((table) => table.name === 'tenants' || isKept(table))
  await client.end()
})
afterAll(() => storage.close())
const exported = async () =>
  readArchive((await exportAs(world.app, world.admin, { 'x-tenant-code': source.code })).stream)

/** Imports the bytes of an archive. @returns why they are refused */
async function refusalOf(bytes: Buffer, code = `forged-${++count}`): Promise<string | undefined> {
  const path = join(dir, `${code}.tar`)
  writeFileSync(path, bytes)
  const manifest = await verifyTenantArchive(path, quiet)
  const error = await importTenant(world.database, storage, path, manifest, code, quiet).then(
    () => undefined,
    (error) => error,
  )
  rmSync(path)
  if (error) expect(error, String(error.stack)).toBeInstanceOf(Refusal)
  return error?.message
}

/** The entry of a table whose rows have other values. */
const rows = (table: string, values: object) => ({
  [`tables/${table}.ndjson`]: archive
    .rows(table)
    .map((row) => `${JSON.stringify({ ...row, ...values })}\n`)
    .join(''),
})
const hash = (cost: string) => ({
  password_hash: `$argon2id$v=19$${cost},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`,
})
/** Departments that lie below each other. */
const circle = () => {
  const [one] = archive.rows('departments')
  const other = { ...one, id: one!.id + 1, code: 'OTHER', code_skeleton: 'other', leader_id: null, parent_id: one!.id }
  const both = [{ ...one, parent_id: other.id }, other]
  return { 'tables/departments.ndjson': both.map((it) => `${JSON.stringify(it)}\n`).join('') }
}
const row = (table: string, values: object) => ({ [`tables/${table}.ndjson`]: `${JSON.stringify(values)}\n` })

/** What an archive is changed into, and what the sentence says of it. */
type Forgery = [what: string, changed: () => Record<string, string>, sentence: RegExp, tenant?: object]
const ifHere = (plugin: string, forgery: Forgery) => (isHere(plugin) ? [forgery] : [])
const FORGERIES: Forgery[] = [
  ['a hash that takes minutes', () => rows('users', hash('m=19456,t=3000')), /users has a password_hash that/],
  ['a hash that takes a gigabyte', () => rows('users', hash('m=1048576,t=2')), /users has a password_hash that/],
  ['no password', () => rows('users', { password_hash: null }), /users has a password_hash that/],
  ['a path for a name', () => rows('files', { filename: '../../../../etc/passwd' }), /files has a filename that/],
  ['a zone that there is not', () => ({}), /tenants has a time_zone that/, { time_zone: 'Mars/Olympus' }],
  [
    'another portal',
    () => row('portal_sections', { section: 'pricing', content: [5] }),
    /portal_sections has a content/,
  ],
  ['an instant without end', () => rows('tasks', { created_at: 'infinity' }), /tasks has an instant or a number/],
  ['an instant before our era', () => rows('users', { created_at: '0044-03-15 BC' }), /users has an instant or/],
  ['a tenant without end', () => ({}), /tenants has an instant or/, { expired_at: 'infinity' }],
  [
    'a number that is rounded',
    () => rows('files', { size: '9223372036854775807' }),
    /files has an instant or a number/,
  ],
  ['a tenant of no plan', () => ({}), /tenants does not take/, { plan: null }],
  ['a session', () => row('sessions', { id: 1 }), /sessions has what no export writes/],
  ...ifHere('keys', ['a key', () => row('api_keys', { id: 1 }), /api_keys has what no export writes/]),
  ['a system administrator', () => row('system_administrator', { id: 1, user_id: 1 }), /system_administrator has what/],
  ...ifHere('invitations', [
    'a known link',
    () => rows('invitations', { token_hash: 'known' }),
    /invitations has what no export writes/,
  ]),
  ...ifHere('webhooks', [
    'a secret',
    () => row('webhooks', { id: 1, sealed: 's1.known' }),
    /webhooks has what no export writes/,
  ]),
  ['one table in two entries', () => ({ 'shared/tasks.ndjson': '' }), /shared\/tasks\.ndjson is of no table here/],
  ['no organization', () => ({ 'tables/organizations.ndjson': '' }), /has no organization/],
  ['what is not JSON', () => ({ 'tables/users.ndjson': 'no row\n' }), /a row is not JSON/],
  ['a text for an id', () => rows('tasks', { id: 'x' }), /tasks does not take its rows/],
  ['the character NUL', () => rows('tasks', { title: '\u0000' }), /tasks does not take its rows/],
  ['departments in a circle', circle, /departments has rows that lie below themselves/],
  ['a counter that is behind', () => rows('event_counters', { last_number: 0 }), /events has numbers that were not/],
  ['an id of somebody else', () => rows('tasks', { project_id: 999_999 }), /tasks does not take its rows/],
]

/** What a column of each type takes, and what the service may not expect in it. */
const UNEXPECTED: Record<string, unknown[]> = {
  text: ['', 'x', 'y'.repeat(100_000), '\u202e\u{10ffff}', '-1', '../x'],
  int8: [-1, 0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  int4: [-1, 0, 2 ** 31 - 1, -(2 ** 31)],
  int2: [-1, 0, 2 ** 15 - 1, -(2 ** 15)],
  bool: [true, false],
  timestamptz: ['9999-12-31 23:59:59', '0001-01-01'],
  date: ['9999-12-31', '0001-01-01'],
  jsonb: ['5', '"x"', '[]', '{}', '[null]', '{"__proto__":{"a":1e999}}'],
  json: ['5', '"x"', '[]', '{}', '[null]'],
  _text: ['{}', '{NULL}', '{""}', '{{a},{b}}'],
  _int8: ['{}', '{NULL}', '{-1}', '{9007199254740991}'],
}
/** In each round a column has another of them, and null in the first; in six a column of text has had all. */
const ROUNDS = [null, ...Array(Number(process.env.ROUNDS ?? 3)).keys()]
/** Columns that say which row it is, or which an import judges one by one. It gives each id a new one as well. */
const FIXED = ['id', 'tenant_id', 'code', 'status_before', 'erase_at']
const JUDGED = ['time_zone', 'filename', 'password_hash', 'content', 'last_number']

const SPOIL = `create function spoil(tenant bigint, cases jsonb) returns setof text language plpgsql as $$
  declare one jsonb; changes text; spoilt bigint;
  begin
    for one in select * from jsonb_array_elements(cases) loop
      changes := format('update %I set %I = (%L)::%I where %I = $1', one ->> 0, one ->> 1, one ->> 3, one ->> 2,
        case one ->> 0 when 'tenants' then 'id' else 'tenant_id' end);
      begin
        begin
          execute changes using tenant;
        exception when unique_violation then
          execute changes || format(' and ctid = (select min(ctid) from %I where tenant_id = $1)', one ->> 0) using tenant;
        end;
        get diagnostics spoilt = row_count;
        if spoilt > 0 then return next (one ->> 0) || '.' || (one ->> 1); end if;
      exception when others then null;
      end;
    end loop;
  end $$`

/** Gives every column of the source that takes it a value that nobody expects. @returns those that took it */
async function spoil(round: number | null): Promise<string[]> {
  const cases = imported.flatMap(({ name, columns, references, facts }) => {
    const soft = Object.entries(facts.references ?? {})
    const kinds = soft.flatMap(([, what]) => (typeof what === 'object' && 'by' in what ? what.by : []))
    const ids = [...references, ...soft.map(([column]) => ({ column }))].map(({ column }) => column)
    const left = new Set([...FIXED, ...JUDGED, ...ids, ...kinds])
    return columns
      .filter((column) => !left.has(column.name) && UNEXPECTED[column.type])
      .map(({ name: column, type }, at) => {
        const values = UNEXPECTED[type]!
        return [name, column, type, round === null ? null : values[(round + at) % values.length]]
      })
  })
  const taken = await world.look.rows<{ spoil: string }>('select spoil($1, $2)', [source.id, JSON.stringify(cases)])
  return taken.map(({ spoil }) => spoil)
}

const reads = (await listRoutes()).filter(({ method, path }) => method === 'GET' && !/(stream|export)$/.test(path))
const pathsWith = (count: number) => reads.filter(({ params }) => params.length === count).map(({ path }) => path)

/** Asks for all that can be read of a tenant. @returns what is answered with a failure of the service */
async function failuresOf(code: string): Promise<string[]> {
  const failures: string[] = []
  const read = async (path: string, headers: Record<string, string>) => {
    // An outage is none: a slow machine may be the reason.
    const { statusCode, body } = await until(async () => {
      const answer = await world.app.inject({ url: `/api/v1${path}`, headers })
      return answer.statusCode !== 503 && answer
    })
    if (statusCode >= 500) failures.push(path)
    return statusCode === 200 && body.startsWith('{"code"') ? JSON.parse(body).data : undefined
  }
  const [{ id, boss }] = (await world.look.rows(
    'select t.id::float8 as id, min(u.id)::float8 as boss from tenants t join users u on u.tenant_id = t.id where t.code = $1 group by t.id',
    [code],
  )) as [{ id: number; boss: number }]
  const session = await world.inTenant({ id }, (tx) => openSession(tx, { id: boss, username: 'boss' }, 600))
  const callers: Record<string, string>[] = [
    { authorization: `Bearer ${world.admin.token}`, 'x-tenant-code': code },
    { authorization: `Bearer ${world.app.tokens.sign(session)}` },
  ]
  for (const headers of callers)
    for (const path of pathsWith(0)) {
      const data = await read(path, headers)
      const [one] = Array.isArray(data) ? data : (data?.items ?? [])
      for (const single of pathsWith(1).filter((it) => one?.id && it.startsWith(`${path}/:`)))
        await read(single.replace(/:\w+/, one.id), headers)
    }
  return failures
}

describe.skipIf(skippedOnCluster('imports of tenants', 'a cluster takes none'))('an archive of somebody else', () => {
  test.concurrent.each(FORGERIES)('with %s is refused in a sentence', async (_, changed, sentence, tenant) => {
    const said = await refusalOf(await forge(archive, changed(), tenant))
    expect(said).toMatch(sentence)
    expect(said).toMatch(/Nothing was changed\.$/)
  })

  test('leaves nothing if it is refused', async () => {
    expect(await world.look.rows(`select code from tenants where code like 'forged-%'`)).toEqual([])
    expect(count).toBe(FORGERIES.length)
  })

  test('with unexpected values in all columns is refused, or everything of it can be read', async () => {
    await world.look.rows(SPOIL)
    const refused: string[] = []
    for (const round of ROUNDS) {
      const taken = await spoil(round)
      expect(taken.length).toBeGreaterThan(50)
      const code = `spoilt-${round}`
      const said = await refusalOf(await forge(await exported()), code)
      if (said) refused.push(said)
      else expect(await failuresOf(code), `round ${round}: ${taken.join(' ')}`).toEqual([])
    }
    // One that is refused everywhere proves nothing.
    expect(refused, refused.join('\n')).toEqual([])
  })
})
