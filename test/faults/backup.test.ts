import {
  closeSync,
  copyFileSync,
  cpSync,
  createWriteStream,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSnapshot } from '../../appliance/backup/snapshot.ts'
import { verifyArchive } from '../../appliance/backup/verify-archive.ts'
import { type Written, writeArchive } from '../../appliance/backup/write-archive.ts'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { Refusal } from '../../src/atrium/command-line.ts'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { repack } from '../support/archive.ts'
import { atrium } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { formOf, pngOf } from '../support/form.ts'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { isHere } from '../support/plugins.ts'
import { makeCluster, type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { startProcess } from '../support/service.ts'
import { startHere } from '../support/service-here.ts'
import { checkFiles, storedIn, uploadTo } from '../support/uploads.ts'
import { foundCompanies, signIn, startWorkload } from '../support/workload.ts'

/**
 * Backup and restore, as an operator runs them: from the embedded database, while people write, to databases of every
 * kind. A backup is whole or refused.
 */
const dir = newFolder()
const archive = join(dir, 'backup.tar')
let postgres: OwnPostgres
let admin: Inspector
/** a restore that nobody has touched since */
let whole: Target
/** The archive is of a moment under load: a restore that is known to be right shows what it holds. */
let reference: Awaited<ReturnType<typeof contentOf>>
let count = 0
const HAS_CHAIN = isHere('audit-chain')

beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false, pooled: false })
  admin = await openInspector(await postgres.createDatabase())
  await backUpUnderLoad()
  whole = await givenTarget()
  expect(await atriumHere(`restore ${archive}`, at(whole))).toMatchObject({
    code: 0,
    err: expect.stringContaining('tenants are isolated'),
  })
  reference = await contentOf(whole)
})

async function backUpUnderLoad() {
  const env = { DATA_DIR: join(dir, 'embedded'), DATABASE_URL: '' }
  await makeCluster(env.DATA_DIR)
  const service = await startProcess({ databaseUrl: '', env })
  const { token } = (await signIn(service.remote)).person
  for (let at = 0; at < 6; at++)
    await until(async () => {
      const form = formOf([{ filename: `${at}.png`, content: pngOf(1000 * 3 ** at) }])
      return (await uploadTo(service.port, token, form))!.status === 201
    })
  const workload = startWorkload(() => service.remote, await foundCompanies(service.remote), { clients: 8, reads: 0 })
  const { url } = await startEmbedded({ dir: env.DATA_DIR, durable: true, mode: 'shared' })
  const look = await openInspector(url())
  await until(() => workload.history.length > 200)
  if (HAS_CHAIN) await until(async () => (await look.count('select count(*) from audit_links')) > 100)
  expect(await atriumHere(`backup ${archive}`, { env })).toMatchObject({ code: 0 })
  await look.close()
  await workload.stop()
  await service.end('SIGTERM')
}

const at = ({ url, root }: Place) => ({ env: { DATABASE_URL: url, FILE_STORAGE_ROOT: root } })
const backup = (file: string, place: Place, more = '') => atriumHere(`backup ${file}${more}`, at(place))
const restore = (file: string, place: Place, more = '') => atriumHere(`restore ${file}${more}`, at(place))

interface Place {
  /** of the owner of the database */
  url: string
  root: string
}
interface Target extends Place {
  superuserUrl: string
  name: string
}

/** A database and a folder of their own. */
async function givenTarget(template?: Target): Promise<Target> {
  const url = await postgres.createDatabase(template?.url)
  return { superuserUrl: url, url, root: join(dir, `files-${++count}`), name: new URL(url).pathname.slice(1) }
}

/** The same for an owner who may do nothing else. */
async function givenPlainTarget(): Promise<Target> {
  const target = await givenTarget()
  const owner = `owner_${target.name}`
  await admin.rows(`create role ${owner} login password 'secret'`)
  await admin.rows(`alter database ${target.name} owner to ${owner}`)
  return { ...target, url: Object.assign(new URL(target.url), { username: owner, password: 'secret' }).href }
}

/** As if it had been restored. */
async function givenRestored(): Promise<Target> {
  const copy = await givenTarget(whole)
  cpSync(whole.root, copy.root, { recursive: true })
  return copy
}

/** Every row of every table as text, in one order. */
async function contentOf({ superuserUrl }: Target) {
  const look = await openInspector(superuserUrl)
  const tables = await look.rows(
    `select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' order by 1`,
  )
  const rowsOf = async (name: string) =>
    look.rows(`select md5(string_agg(t::text, '|' order by t::text)), count(*)::int from ${name} t`)
  const content: Record<string, unknown> = {}
  for (const { name } of tables) content[name] = (await rowsOf(name))[0]
  await look.close()
  return content
}

/** The service works on it, and leaves every invariant whole. @param meanwhile happens while it runs */
async function expectToServe({ superuserUrl, url, root }: Target, meanwhile = async () => {}) {
  const look = await openInspector(superuserUrl)
  const service = await startHere(url, { FILE_STORAGE_ROOT: root })
  const { client: us } = await signIn(service.remote)
  const project = await obeying(() =>
    us.post('/projects', { name: 'After', code: 'AFTER' }, { 'idempotency-key': 'after' }),
  )
  // Its id is a fresh one.
  expect(await look.count('select count(*) from projects where id >= $1', [project.expect(201).id])).toBe(1)
  // What had been committed and not yet delivered is delivered by the next process.
  await untilDelivered(look)
  await meanwhile()
  await service.stop()
  expectNoViolation('restored', [...(await checkDatabase(look)), await checkFiles(look, storedIn(root))])
}

describe('a backup under load', () => {
  test('comes back in a database of another name, as of one moment, and the service goes on there', async () => {
    const filled = Object.values(reference).filter((it: any) => it.count > 0)
    expect(filled.length).toBeGreaterThan(12)
    expect(reference).toMatchObject({ files: { count: 6 }, users: { count: expect.any(Number) } })
    const target = await givenRestored()
    await proveIsolation(target.url, serviceRoleOf(whole.name))
    if (HAS_CHAIN)
      expect(await atriumHere('audit verify', at(target))).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^default: \d+ rows? fits?\./m),
      })
    await expectToServe(target, async () =>
      expect(await restore(archive, target, ' --replace')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^The service runs/),
      }),
    )
  })

  test('comes back for a plain owner, whose own backup has all rows though policies are forced on it, and files may stay', async () => {
    const [first, second] = [await givenPlainTarget(), await givenTarget()]
    expect(await restore(archive, first)).toMatchObject({ code: 0 })
    expect(await contentOf(first)).toEqual(reference)
    await proveIsolation(first.url, `owner_${first.name}`)
    const sums = join(dir, 'of-a-plain-owner.tar')
    expect(await backup(sums, first, ' --files sums')).toMatchObject({ code: 0 })

    const lost = join(first.root, [...storedIn(first.root).keys()][0]!)
    renameSync(lost, `${lost}.away`)
    const said = await restore(sums, { ...second, root: first.root })
    expect(said).toMatchObject({ code: 1 })
    expect(said.err.match(/not in the file storage: .*/g)).toEqual([
      `not in the file storage: files${lost.slice(first.root.length)}`,
    ])
    expect(await contentOf(second)).toEqual(reference)
    await proveIsolation(second.url, serviceRoleOf(second.name))

    renameSync(`${lost}.away`, lost)
    await expectToServe(first)
  })
})

describe('a restore', () => {
  /** Lets a restore into the database wait when all rows are in its transaction. */
  const HOLD = `
    create schema fault;
    create function fault.hold() returns event_trigger language plpgsql as $$ begin
      if current_query() like '%enable trigger user' then perform pg_advisory_xact_lock(1); end if; end $$;
    create event trigger hold on ddl_command_end when tag in ('ALTER TABLE') execute function fault.hold()`
  const HELD = `from pg_stat_activity
    where datname = current_database() and application_name = 'atrium-restore' and wait_event = 'advisory'`

  test('loses nothing that is there unless it is ordered to, and one that was cut off lets no service start and is done again', async () => {
    const target = await givenRestored()
    const look = await openInspector(target.url)
    await look.rows(`update tenants set name = 'Changed' where id = 1`)
    expect(await restore(archive, target)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The database is not empty/),
    })
    expect(await look.rows('select name from tenants where id = 1')).toEqual([{ name: 'Changed' }])

    const holder = new pg.Client(target.url)
    await holder.connect()
    await holder.query(HOLD)
    await holder.query('select pg_advisory_lock(1)')
    const restoring = restore(archive, target, ' --replace')
    await until(async () => (await look.count(`select count(*) ${HELD}`)) === 1)
    await look.rows(`select pg_terminate_backend(pid) ${HELD}`)
    expect(await restoring).toMatchObject({ code: 1 })
    await holder.query('drop schema fault cascade')
    await holder.end()
    await expect(startHere(target.url)).rejects.toThrow('A restore into this database was not finished')

    expect(await restore(archive, target, ' --replace')).toMatchObject({ code: 0 })
    expect(await contentOf(target)).toEqual(reference)
  })

  /** As if another version had written it. @returns its backup */
  async function givenBackupOf(sql: string, file: string) {
    const other = await givenRestored()
    await (await openInspector(other.url)).rows(sql)
    expect(await backup(join(dir, file), other)).toMatchObject({ code: 0 })
    return { other, file: join(dir, file) }
  }

  test('of an older version is brought to this one', async () => {
    const sql = `alter table contact_messages drop column handled; delete from schema_migrations where name like '0043%'`
    const [{ file }, target] = [await givenBackupOf(sql, 'older.tar'), await givenTarget()]
    expect(await restore(file, target)).toMatchObject({ code: 0 })
    expect(await contentOf(target)).toEqual(reference)
    const column = `select count(*) from information_schema.columns where table_name = 'contact_messages' and column_name = 'handled'`
    expect(await (await openInspector(target.url)).count(column)).toBe(1)
  })

  test('of a newer version is refused', async () => {
    const sql = `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`
    const { other, file } = await givenBackupOf(sql, 'newer.tar')
    expect(await restore(file, other, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/does not know 9999_tomorrow\.sql/),
    })
    expect(await contentOf(other)).toEqual(reference)
  })
})

describe('files', () => {
  /** How many files an archive has, and how many rows of files. */
  async function filesIn(file: string) {
    const { closing } = await verifyArchive(file, () => {})
    const names = Object.keys(closing.sums).filter((name) => name.startsWith('files/'))
    return { names, rows: closing.rows.files }
  }

  test('that are deleted while the backup runs are no part of it, and neither are their rows', async () => {
    const target = await givenRestored()
    const file = join(dir, 'deleted-meanwhile.tar')
    const [deleted] = [...storedIn(target.root).keys()]
    const snapshot = await openSnapshot(target.url)
    const storage = await openStorage({ storage: 'local', root: target.root, maxSize: 1e9 })
    const look = await openInspector(target.url)
    await look.rows(`delete from files where tenant_id || '/' || filename = $1`, [deleted])
    rmSync(join(target.root, deleted!))
    const written: Written = { rows: 0, files: 0, deleted: 0, damaged: [] }

    await pipeline(
      writeArchive(snapshot, storage, 'bytes', written, () => {}),
      createWriteStream(file),
    )
    await snapshot.close()

    expect(written).toMatchObject({ files: 5, deleted: 1, damaged: [] })
    const { names, rows } = await filesIn(file)
    expect([names.length, rows]).toEqual([5, 5])
  })

  test('whose bytes are lost are reported, and their rows are kept', async () => {
    const target = await givenRestored()
    const [lost] = [...storedIn(target.root).keys()]
    rmSync(join(target.root, lost!))
    const file = join(dir, 'lost.tar')
    expect(await backup(file, target)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`missing or damaged: files/${lost}`),
    })
    const { names, rows } = await filesIn(file)
    expect([names.length, rows]).toEqual([5, 6])
  })
})

/** BIT_FLIPS=10000 for the full run. In test/unit/tar.test.ts each byte that is no row is flipped. */
const FLIPS = Number(process.env.BIT_FLIPS ?? 60)

const OWNED = `
  select s.relname::text as sequence, c.relname::text as table, a.attname::text as column
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid where d.deptype in ('a', 'i') order by 1`

/** Draws from every sequence. */
async function expectFreshIds({ superuserUrl }: Target) {
  const inspector = await openInspector(superuserUrl)
  const owned = await inspector.rows(OWNED)
  expect(owned.length).toBeGreaterThan(20)
  for (const { sequence, table, column } of owned) {
    const [row] = await inspector.rows(
      `select nextval($1)::float8 as drawn, (select coalesce(max(${column}), 0)::float8 from ${table}) as highest`,
      [sequence],
    )
    expect(row!.drawn, sequence).toBeGreaterThan(row!.highest)
  }
  await inspector.close()
}

/** What a verification says; undefined if it takes the archive. */
const refusalOf = (file: string): Promise<Error | undefined> =>
  verifyArchive(file, () => {}).then(
    () => undefined,
    (error) => error,
  )
const isSentence = (error: unknown) =>
  error instanceof Refusal && /^\S+ (cannot be restored: |is not a backup |was made by a newer )/.test(error.message)

describe('an archive that was damaged', () => {
  let copy: string
  beforeEach(() => {
    copy = join(dir, `copy-${++count}.tar`)
    copyFileSync(archive, copy)
  })

  test(`by one bit, anywhere, is refused with a sentence (${FLIPS} bits)`, async () => {
    const bytes = readFileSync(archive)
    const file = openSync(copy, 'r+')
    const found: string[] = []
    for (let flip = 0; flip < FLIPS; flip++) {
      const at = Math.floor(Math.random() * bytes.length)
      const bit = 1 << Math.floor(Math.random() * 8)
      writeSync(file, Buffer.of(bytes[at]! ^ bit), 0, 1, at)
      const error = await refusalOf(copy)
      if (!isSentence(error)) found.push(`bit ${bit} of byte ${at}: ${error ?? 'accepted'}`)
      writeSync(file, bytes, at, 1, at)
    }
    closeSync(file)
    expect(found, `${FLIPS} flips of one bit in ${bytes.length} bytes`).toEqual([])
    expect(await refusalOf(copy), 'every bit is back').toBeUndefined()
  })

  test('by a cut, anywhere, is refused with a sentence', async () => {
    const { length } = readFileSync(archive)
    const found: string[] = []
    const cuts = Array.from({ length: 24 }, (_, at) =>
      at < 16 ? length - 1 - at * 131 : Math.floor(Math.random() * length),
    )
    for (const size of cuts.sort((a, b) => b - a)) {
      truncateSync(copy, size)
      const error = await refusalOf(copy)
      if (!isSentence(error)) found.push(`${size} of ${length} bytes: ${error ?? 'accepted'}`)
    }
    expect(found).toEqual([])
  })

  test.each(['"tasks": ', '"tasks_id_seq": "'])('in a number of its end, %s, is refused', async (number) => {
    const bytes = readFileSync(copy)
    const digit = bytes.lastIndexOf(number) + number.length
    expect(digit).toBeGreaterThan(number.length)
    bytes[digit]! ^= 1
    writeFileSync(copy, bytes)
    expect((await refusalOf(copy))?.message).toMatch(
      /cannot be restored: end\.json differs from what was written\. Nothing was changed\.$/,
    )
  })

  test('and is restored all the same changes nothing, with --replace neither, and ids stay fresh', async () => {
    truncateSync(copy, readFileSync(copy).length / 2)
    const [target, empty] = [await givenRestored(), await givenTarget()]
    expect(await restore(copy, target, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be restored: .*cut off\. Nothing was changed\.\n$/),
    })
    expect(await contentOf(target)).toEqual(reference)
    await expectFreshIds(target)
    expect(await restore(copy, empty)).toMatchObject({ code: 1 })
    expect(await contentOf(empty)).toEqual({})
    expect(existsSync(empty.root)).toBe(false)
  })
})

describe('an archive whose end was written wrong', () => {
  const another = () => join(dir, `another-${++count}.tar`)

  test('with wrong sequences is restored, and hands out fresh ids all the same', async () => {
    const [file, target] = [another(), await givenTarget()]
    await repack(archive, file, (end) => {
      end.sequences.tasks_id_seq = '1'
      delete end.sequences.activities_id_seq
    })
    expect(await restore(file, target)).toMatchObject({ code: 0 })
    expect(await contentOf(target)).toEqual(reference)
    await expectFreshIds(target)
  })

  test.each<[string, (end: any) => void, string]>([
    ['a wrong count of rows', (end) => end.rows.tasks++, 'the tables do not have as many rows as were written'],
    ['an end of another shape', (end) => (end.rows = 'none'), 'end.json differs from what was written'],
  ])('with %s is refused', async (_, change, sentence) => {
    const file = another()
    await repack(archive, file, change)
    expect((await refusalOf(file))?.message).toContain(`${sentence}. Nothing was changed.`)
  })

  test('and one of a later format is refused by its name, and what is no archive too', async () => {
    const file = another()
    const bytes = readFileSync(archive)
    bytes.write('"format": 2', bytes.indexOf('"format": 1'))
    writeFileSync(file, bytes)
    expect((await refusalOf(file))?.message).toMatch(
      /was made by a newer version \(format 2\); restore it with that version\.$/,
    )
    writeFileSync(file, 'no archive')
    expect(await refusalOf(file)).toSatisfy(isSentence)
  })
})

test('a backup that is killed when all is written leaves no file of its name, a later one removes its draft, and none writes over another', async () => {
  const [file, killing] = [join(dir, 'killed.tar'), join(dir, 'killing.mjs')]
  writeFileSync(
    killing,
    `import files from 'node:fs/promises'
     import { syncBuiltinESMExports } from 'node:module'
     files.link = () => process.kill(process.pid, 'SIGKILL')
     syncBuiltinESMExports()`,
  )
  const drafts = () => readdirSync(dir).filter((name) => /^killed\.tar\..*\.part$/.test(name))
  const env = { ...at(whole).env, NODE_OPTIONS: `--import=${killing}` }
  for (let kills = 1; kills <= 2; kills++) {
    expect(await atrium(`backup ${file}`, { env })).toMatchObject({ code: null })
    expect([existsSync(file), drafts().length]).toEqual([false, kills])
  }
  // One of them may be another backup that is at work.
  utimesSync(join(dir, drafts()[0]!), 0, 0)

  expect(await backup(file, whole)).toMatchObject({ code: 0 })
  expect(drafts()).toHaveLength(1)
  await expect(verifyArchive(file, () => {})).resolves.toBeDefined()

  const before = readFileSync(file)
  expect(await backup(file, whole)).toMatchObject({
    code: 1,
    err: `${file} already exists. Name another file, or move that one away.\n`,
  })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(drafts()).toHaveLength(1)
})
