import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openSnapshot } from '../../appliance/backup/snapshot.ts'
import { type Written, writeArchive } from '../../appliance/backup/write-archive.ts'
import { proveIsolation } from '../../src/data/setup/isolation/prove-isolation.ts'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { atrium } from '../support/cli.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { checkFiles, storedIn, uploadTo } from '../support/uploads.ts'
import { foundCompanies, startWorkload } from '../support/workload.ts'

/** Backup and restore, as an operator runs them, between databases of every kind. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const dir = mkdtempSync(join(tmpdir(), 'atrium-backup-'))
let postgres: OwnPostgres
let admin: Inspector
let source: { url: string; root: string; look: Inspector }
let service: ServiceProcess
let archive: string
const opened: Inspector[] = []
let count = 0

const inspector = async (url: string) => {
  const look = await openInspector(url)
  opened.push(look)
  return look
}

beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false })
  const url = await postgres.createDatabase()
  admin = await inspector(url)
  source = { url, root: join(dir, 'source'), look: admin }
  service = await startProcess({ databaseUrl: url, env: { FILE_STORAGE_ROOT: source.root } })
  const signIn = await service.remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })
  const token = signIn.expect(200).accessToken
  for (let at = 0; at < 6; at++)
    await uploadTo(service.port, token, formOf([{ filename: `${at}.png`, content: pngOf(1000 * 3 ** at) }]))
  const workload = startWorkload(() => service.remote, await foundCompanies(service.remote), { clients: 8, reads: 0 })
  await vi.waitFor(() => expect(workload.history.length).toBeGreaterThan(200), { timeout: 60_000 })
  const linked = () => admin.count('select count(*) from audit_links')
  await vi.waitFor(async () => expect(await linked()).toBeGreaterThan(100), { timeout: 60_000 })
  // The backup is taken while people write.
  archive = join(dir, 'backup.tar')
  expect(await backup(archive)).toMatchObject({ code: 0 })
  await workload.stop()
  await service.end('SIGTERM')
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await Promise.all(opened.map((look) => look.close()))
  await postgres?.stop()
  rmSync(dir, { recursive: true, force: true })
})

const at = (url: string, root: string) => ({ env: { DATABASE_URL: url, FILE_STORAGE_ROOT: root } })
const backup = (file: string, { url, root } = source) => atrium(`backup ${file}`, at(url, root))

/** An empty database and an empty folder. `plain`: of an owner who may do nothing else. */
async function givenTarget(kind: 'superuser' | 'plain' = 'superuser') {
  const superuserUrl = await postgres.createDatabase()
  const name = new URL(superuserUrl).pathname.slice(1)
  const target = { superuserUrl, url: superuserUrl, root: join(dir, `files-${++count}`), name }
  if (kind === 'superuser') return target
  await admin.rows(`create role owner_${name} login password 'secret'`)
  await admin.rows(`alter database ${name} owner to owner_${name}`)
  return {
    ...target,
    url: Object.assign(new URL(superuserUrl), { username: `owner_${name}`, password: 'secret' }).href,
  }
}
type Target = Awaited<ReturnType<typeof givenTarget>>
const restore = ({ url, root }: Pick<Target, 'url' | 'root'>, file = archive, more = '') =>
  atrium(`restore ${file}${more}`, at(url, root))

const TABLES = `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations' order by 1`

/** Every row of every table as text, in one order, and the sequences. */
async function contentOf(look: Inspector) {
  const content: Record<string, unknown> = {}
  for (const { name } of await look.rows(TABLES))
    content[name] = (
      await look.rows(`select md5(string_agg(t::text, '|' order by t::text)), count(*) from ${name} t`)
    )[0]
  return content
}

/** The archive is of a moment under load: a restore that is known to be right shows what it holds. */
let reference: Awaited<ReturnType<typeof contentOf>>

async function expectWhole({ superuserUrl, root, url, name }: Target, role = serviceRoleOf(name)) {
  const look = await inspector(superuserUrl)
  reference ??= await contentOf(look)
  expect(await contentOf(look)).toEqual(reference)
  expect(Object.values(reference).filter((it: any) => Number(it.count) > 0).length).toBeGreaterThan(12)
  await proveIsolation(url, role)
  expect(await look.count(`select count(*) from files`)).toBe(6)
  expect(await look.count('select count(*) from audit_links')).toBeGreaterThan(100)
  const verified = await atrium('audit verify', at(url, root))
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^default: \d+ rows? fits?\./m) })
  const started = await startProcess({ databaseUrl: url, env: { FILE_STORAGE_ROOT: root } })
  const signIn = await started.remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })
  const remote = started.remote.as(signIn.expect(200).accessToken)
  const project = (
    await remote.post('/projects', { name: 'After', code: 'AFTER' }, { 'idempotency-key': 'after' })
  ).expect(201)
  expect(await look.count('select count(*) from projects where id >= $1', [project.id])).toBe(1)
  await untilDelivered(look)
  await started.end('SIGTERM')
  expectNoViolation('restored', [...(await checkDatabase(look)), await checkFiles(look, storedIn(root))], {})
}

describe('a backup under load', () => {
  test('comes back in a database of another name, with every row, file and sequence, and tenants isolated', async () => {
    const target = await givenTarget()
    expect(await restore(target)).toMatchObject({ code: 0, err: expect.stringContaining('tenants are isolated') })
    await expectWhole(target)
  })

  test('comes back for a plain owner, and that one can back up all rows too, though policies are forced on it', async () => {
    const [first, second] = [await givenTarget('plain'), await givenTarget()]
    expect(await restore(first)).toMatchObject({ code: 0 })
    await expectWholeUntouched(first)
    const again = join(dir, 'of-a-plain-owner.tar')
    expect(await backup(again, { ...source, ...first })).toMatchObject({ code: 0 })
    expect(await restore(second, again)).toMatchObject({ code: 0 })
    await expectWhole(second)
    await expectWhole(first, `owner_${first.name}`)
  })

  test('is one moment: no row points at another that is not there, and the newest are of one time', async () => {
    const target = await givenTarget()
    await restore(target)
    const look = await inspector(target.superuserUrl)
    // What had been committed at that moment and not yet delivered is delivered by the next process.
    const started = await startProcess({ databaseUrl: target.url, env: { FILE_STORAGE_ROOT: target.root } })
    await untilDelivered(look)
    await started.end('SIGTERM')
    expectNoViolation('a backup under load', await checkDatabase(look), {})
    expect(await look.count('select count(*) from projects')).toBeGreaterThan(0)
  })

  async function expectWholeUntouched({ superuserUrl }: Target) {
    const look = await inspector(superuserUrl)
    reference ??= await contentOf(look)
    expect(await contentOf(look)).toEqual(reference)
  }
})

test('the embedded database moves to an external one', async () => {
  const env = { DATA_DIR: join(dir, 'embedded'), DATABASE_URL: '' }
  const embedded = await startProcess({ databaseUrl: '', env })
  const signIn = await embedded.remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })
  await uploadTo(embedded.port, signIn.expect(200).accessToken, formOf([{ filename: 'a.png', content: pngOf(5000) }]))
  const file = join(dir, 'embedded.tar')
  expect(await atrium(`backup ${file}`, { env })).toMatchObject({ code: 0, err: expect.stringContaining('1 files') })
  await embedded.end('SIGTERM')

  const target = await givenTarget('plain')
  expect(await restore(target, file)).toMatchObject({ code: 0 })
  const look = await inspector(target.superuserUrl)
  expect(await look.count('select count(*) from users')).toBe(1)
  expect(await checkFiles(look, storedIn(target.root))).toMatchObject({ checked: 2, violations: 0 })
})

describe('a restore', () => {
  let target: Target
  beforeEach(async () => {
    target = await givenTarget()
  })
  const tablesOf = async () => (await (await inspector(target.superuserUrl)).rows(TABLES)).length

  test('takes nothing that was cut off or changed, and changes nothing then', async () => {
    const bytes = readFileSync(archive)
    const broken = join(dir, 'broken.tar')
    writeFileSync(broken, bytes.subarray(0, bytes.length / 2))
    expect(await restore(target, broken)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be restored: .*cut off\. Nothing was changed/),
    })
    const rows = bytes.indexOf('default\t')
    const changed = Buffer.from(bytes)
    changed.write('default', rows)
    changed.write('DEFAULT', rows)
    writeFileSync(broken, changed)
    expect(await restore(target, broken)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/tables\/\S+ differs from what was written/),
    })
    writeFileSync(broken, 'no archive')
    expect(await restore(target, broken)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing was changed'),
    })
    expect(await tablesOf()).toBe(0)
    expect(existsSync(target.root)).toBe(false)
  })

  test('loses nothing that is there, unless it is ordered to', async () => {
    expect(await restore(target)).toMatchObject({ code: 0 })
    const look = await inspector(target.superuserUrl)
    await look.rows(`update tenants set name = 'Changed' where id = 1`)
    expect(await restore(target)).toMatchObject({ code: 1, err: expect.stringMatching(/^The database is not empty/) })
    expect(await look.rows('select name from tenants where id = 1')).toEqual([{ name: 'Changed' }])
    expect(await restore(target, archive, ' --replace')).toMatchObject({ code: 0 })
    await expectWhole(target)
  })

  test('that was cut off lets no service start, and is done again', async () => {
    const restoring = restore(target)
    const look = await inspector(target.superuserUrl)
    await vi.waitFor(
      async () =>
        expect(
          await look.count(
            `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'atrium-restore' and query like 'copy%'`,
          ),
        ).toBe(1),
      { timeout: 60_000, interval: 1 },
    )
    await look.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'atrium-restore'`,
    )
    expect(await restoring).toMatchObject({ code: 1 })
    await expect(startProcess({ databaseUrl: target.url })).rejects.toThrow(
      'A restore into this database was not finished',
    )
    expect(await restore(target, archive, ' --replace')).toMatchObject({ code: 0 })
    await expectWhole(target)
  })

  test('does not go on under a running service', async () => {
    await restore(target)
    const running = await startProcess({ databaseUrl: target.url, env: { FILE_STORAGE_ROOT: target.root } })
    expect(await restore(target, archive, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The service runs/),
    })
    await running.end('SIGTERM')
  })

  test('of an older version is brought to this one', async () => {
    await restore(target)
    const look = await inspector(target.superuserUrl)
    await look.rows('alter table contact_messages drop column handled')
    await look.rows(`delete from schema_migrations where name like '0043%'`)
    const [older, newer] = [join(dir, 'older.tar'), await givenTarget()]
    expect(await backup(older, { ...source, ...target })).toMatchObject({ code: 0 })
    expect(await restore(newer, older)).toMatchObject({ code: 0 })
    await expectWhole(newer)
    expect(
      await (await inspector(newer.superuserUrl)).count(
        `select count(*) from information_schema.columns where table_name = 'contact_messages' and column_name = 'handled'`,
      ),
    ).toBe(1)
  })

  test('of a newer version is refused', async () => {
    await restore(target)
    await (await inspector(target.superuserUrl)).rows(
      `insert into schema_migrations (name, checksum) values ('9999_tomorrow.sql', '')`,
    )
    const newer = join(dir, 'newer.tar')
    expect(await backup(newer, { ...source, ...target })).toMatchObject({ code: 0 })
    expect(await restore(await givenTarget(), newer)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/does not know 9999_tomorrow\.sql/),
    })
  })
})

describe('files', () => {
  test('that are deleted while the backup runs are no part of it, and neither are their rows', async () => {
    const [target, other] = [await givenTarget(), await givenTarget()]
    await restore(target)
    const file = join(dir, 'deleted-meanwhile.tar')
    const [deleted] = [...storedIn(target.root).keys()]
    const snapshot = await openSnapshot(target.url)
    const storage = await openStorage({ storage: 'local', root: target.root, maxSize: 1e9 })
    await (await inspector(target.superuserUrl)).rows(`delete from files where tenant_id || '/' || filename = $1`, [
      deleted,
    ])
    rmSync(join(target.root, deleted!))
    const written: Written = { rows: 0, files: 0, deleted: 0, damaged: [] }

    await pipeline(
      writeArchive(snapshot, storage, 'bytes', written, () => {}),
      createWriteStream(file),
    )
    await snapshot.close()

    expect(written).toMatchObject({ files: 5, deleted: 1, damaged: [] })
    expect(await restore(other, file)).toMatchObject({ code: 0 })
    const figure = await checkFiles(await inspector(other.superuserUrl), storedIn(other.root))
    expect(figure).toMatchObject({ checked: 10, violations: 0 })
  })

  test('whose bytes are lost are reported, and their rows are kept', async () => {
    const [target, other] = [await givenTarget(), await givenTarget()]
    await restore(target)
    const [lost] = [...storedIn(target.root).keys()]
    rmSync(join(target.root, lost!))
    const file = join(dir, 'lost.tar')
    expect(await backup(file, { ...source, ...target })).toMatchObject({
      code: 1,
      err: expect.stringContaining(`missing or damaged: files/${lost}`),
    })
    expect(await restore(other, file)).toMatchObject({ code: 0 })
    expect(storedIn(other.root).size).toBe(5)
    expect(await (await inspector(other.superuserUrl)).count('select count(*) from files')).toBe(6)
  })

  test('may stay where they are: then the backup has their sums, and the restore looks for them', async () => {
    const target = await givenTarget()
    await restore(target)
    const file = join(dir, 'sums.tar')
    expect(await atrium(`backup ${file} --files sums`, at(target.url, target.root))).toMatchObject({ code: 0 })
    const [kept, away] = [await givenTarget(), await givenTarget()]
    expect(await restore({ ...kept, root: target.root }, file)).toMatchObject({ code: 0 })
    const said = await restore(away, file)
    expect(said).toMatchObject({ code: 1 })
    expect(said.err.match(/not in the file storage: /g)).toHaveLength(6)
  })

  test('of a name that is taken are not written over by a backup', async () => {
    expect(await backup(archive)).toMatchObject({ code: 1, err: expect.stringMatching(/already exists/) })
  })
})
