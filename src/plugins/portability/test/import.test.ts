import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listTables, type Table } from '#atrium'
import { testConfig } from '#test/config.ts'
import { excusedFrom } from '#test/exceptions.ts'
import { newFolder } from '#test/folder.ts'
import { pngOf } from '#test/form.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { seedTenant } from '#test/samples.ts'
import { skippedOnCluster } from '#test/servers.ts'
import { openWorldWithFiles } from '#test/uploads.ts'
import type { Person } from '#test/world.ts'
import { numberAll } from '../../../data/events/number-events.ts'
import { openStorage } from '../../../domains/files/files.ts'
import { importTenant } from '../archive/import-tenant.ts'
import { targetOf } from '../archive/insert-rows.ts'
import { assertSameVersion, verifyTenantArchive } from '../archive/verify-archive.ts'
import { withheldOf } from '../archive/withheld.ts'
import { exportAs, type ReadArchive, readArchive } from './archive.ts'
import { withoutIds } from './same-tenant.ts'

const { folder, world, upload } = await openWorldWithFiles()
const storage = await openStorage(testConfig({ FILE_STORAGE_ROOT: folder.root }).files)
// Other tenants come first, so that no id is the same by chance.
await seedTenant(world, await world.givenTenant(), 'somebody else')
const source = await seedTenant(world, await world.givenTenant(), 'of the source')
let archive: ReadArchive
let tables: Table[]
const dir = newFolder()
const file = join(dir, 'source.tar')
const picture = pngOf(3000)
const quiet = () => {}

beforeAll(async () => {
  const boss = world.as(source.tenant.administrator)
  const avatar = await upload.file(source.tenant.administrator, { filename: 'a.png', content: picture })
  ;(await boss.put('/users/me', { avatarKey: avatar.key })).expect(200)
  const post = { title: 'With a cover', cover: `/api/v1/files/${avatar.key}`, status: 'published' }
  ;(await boss.post('/content/articles', post)).expect(201)
  ;(await boss.delete(`/users/${(await world.givenUser(source.tenant)).id}`)).expect(200)
  const project = await world.givenProject(source.tenant.administrator)
  const tasks = [1, 2].map(() => world.givenTask(source.tenant.administrator, project, { title: 'Deleted' }))
  for (const { id } of await Promise.all(tasks)) (await boss.delete(`/tasks/${id}?version=0`)).expect(200)
  // Of what has left the bin, only the history is there.
  await world.look.rows('delete from tasks where id = $1', [(await tasks[1]!).id])
  await until(async () => {
    await boss.get('/notifications')
    return (await world.look.count('select count(*) from outbox')) === 0
  })
  await numberAll(world.database, source.tenant.id)
  const client = await world.database.connectAlone()
  tables = await listTables(client)
  await client.end()
  await pipeline((await exportAs(world.app, source.tenant.administrator)).stream, createWriteStream(file))
  archive = await readArchive(Readable.from([readFileSync(file)]))
})
afterAll(() => storage.close())

const bring = async (path: string, code: string) =>
  importTenant(world.database, storage, path, await verifyTenantArchive(path, quiet), code, quiet)

/** The system administrator's look into a tenant. */
const exported = async (code: string) =>
  readArchive((await exportAs(world.app, world.admin, { 'x-tenant-code': code })).stream)

const onCluster = skippedOnCluster('imports of tenants', 'a cluster takes none')

test.runIf(onCluster)('a cluster takes no tenant, and nothing of it is left there', async () => {
  const tenants = () => world.look.count('select count(*) from tenants')
  const before = await tenants()
  await expect(bring(file, 'brought')).rejects.toThrow('distribute')
  expect(await tenants()).toBe(before)
})

describe.skipIf(onCluster)('a tenant that is imported', () => {
  let imported: Awaited<ReturnType<typeof bring>>
  let here: ReadArchive
  let id: number
  beforeAll(async () => {
    imported = await bring(file, 'brought')
    here = await exported('brought')
    id = here.manifest.tenant.id
  })

  test('is equal to the one that was exported, but for its ids', () => {
    expect(imported).toMatchObject({ leftOut: {}, files: archive.manifest.rows.files })
    const [before, after] = [withoutIds(archive, tables), withoutIds(here, tables)]
    const { withheld } = archive.manifest
    const full = Object.entries(before).filter(([table, rows]) => rows.length > 0 && withheld[table] !== 'not imported')
    expect(full.length).toBeGreaterThan(25)
    for (const [table, rows] of full) {
      // The export itself and the secret of an invitation are not the same.
      if (table === 'audit_operations') expect(after[table]!.length).toBeGreaterThanOrEqual(rows.length)
      else expect(after[table], table).toEqual(rows)
    }
    const { id: _, code: __, ...settings } = archive.manifest.tenant
    expect(here.manifest.tenant).toMatchObject({ ...settings, status: 'active', code: 'brought' })
  })

  test('has ids of its own, and none that leads to another tenant', () => {
    for (const { name, drawsIds, ofTenants } of tables.filter((it) => it.ofTenants))
      if (drawsIds && ofTenants) {
        const old = new Set(archive.rows(name).map(({ id }) => id))
        const kept = here.rows(name).filter(({ id }) => old.has(id))
        expect(kept, name).toEqual([])
      }
    const users = new Set(here.rows('users').map(({ id }) => id))
    for (const { actor_id } of here.rows('activities')) expect(users.has(actor_id) || actor_id < 0).toBe(true)
  })

  test('keeps its former members apart from people who join later', async () => {
    const former = await world.look.rows<{ id: string; look: string; skeleton: string }>(
      'select id, look, skeleton from users where deleted_at is not null and tenant_id = $1',
      [id],
    )
    expect(former).toHaveLength(1)
    for (const { id, ...appearance } of former)
      expect(appearance).toEqual({ look: `\u0001${id}`, skeleton: `\u0001${id}` })
  })

  test('has the deleted tasks as deleted, and the history of those that are gone', () => {
    const deleted = here.rows('tasks').filter(({ deleted_at }) => deleted_at !== null)
    const users = new Set(here.rows('users').map(({ id }) => id))
    expect(deleted).toMatchObject([{ title: 'Deleted', is_open: null }])
    expect(users.has(deleted[0]!.deleted_by_id)).toBe(true)
    const history = here
      .rows('activities')
      .filter(({ action, task_id }) => action === 'TASK_DELETED' && task_id !== null)
    expect(history.map(({ task_id }) => (task_id as number) > 0).sort()).toEqual([false, true])
  })

  test('works: its people sign in with their passwords, see their work and files, and go on', async () => {
    const word = 'correct horse battery staple'
    const admin = { adminUsername: 'ada', adminPassword: word, adminEmail: 'ada@example.org' }
    const draft = { name: 'Working', code: 'working', plan: 'team', ...admin }
    ;(await world.as(world.admin).post('/tenants', draft)).expect(201)
    const signIn = async (tenantCode: string): Promise<Person> => {
      const answer = await world.anyone.post('/auth/login', { username: 'ada', password: word, tenantCode })
      return { id: 0, tenantId: 0, username: 'ada', token: answer.expect(200).accessToken }
    }
    const ada = await signIn('working')
    const project = await world.givenProject(ada, { name: 'Moved' })
    const task = await world.givenTask(ada, project, { title: 'Before the move' })
    const path = join(dir, 'working.tar')
    await pipeline((await exportAs(world.app, ada)).stream, createWriteStream(path))
    await bring(path, 'working-2')

    const moved = world.as(await signIn('working-2'))
    const [shown] = (await moved.get('/projects')).expect(200)
    expect(shown).toMatchObject({ name: 'Moved', version: project.version })
    expect(shown.id).not.toBe(project.id)
    const [todo] = (await moved.get(`/projects/${shown.id}/tasks`)).expect(200)
    expect(todo).toMatchObject({ title: task.title })
    ;(await moved.put(`/tasks/${todo.id}`, { version: todo.version, title: 'After the move' })).expect(200)
    ;(await moved.post(`/projects/${shown.id}/tasks`, { title: 'New' })).expect(201)
    ;(await moved.post('/content/articles', { title: 'New' })).expect(201)
    expect((await moved.get(`/tasks/${todo.id}/activities`)).expect(200).length).toBeGreaterThan(1)
    ;(await world.as(ada).get(`/tasks/${todo.id}`)).expect(404)
  })

  test('shows its own files: pictures, covers, and what was uploaded', () => {
    const boss = here.rows('users').find(({ avatar }) => avatar)!
    expect(here.entries.get(`files/${boss.avatar}`)).toEqual(picture)
    const post = here.rows('articles').find(({ title }) => title === 'With a cover')!
    expect(post.cover).toBe(`/api/v1/files/${id}/${boss.avatar}`)
  })

  test.skipIf(!isHere('invitations'))('has links of invitations that nobody knows', async () => {
    const hashes = await world.look.rows<{ token_hash: string }>(
      'select token_hash from invitations where tenant_id in ($1, $2)',
      [source.tenant.id, id],
    )
    expect(hashes.length).toBeGreaterThan(1)
    expect(new Set(hashes.map((row) => row.token_hash)).size).toBe(hashes.length)
  })
})

describe.skipIf(onCluster)('nothing is written', () => {
  const counts = () => world.look.rows('select count(*) from tenants union all select count(*) from users')
  const refused = async (path: string, code: string) => {
    const before = await counts()
    const error = await bring(path, code).then(String, (error) => error.message as string)
    expect(await counts()).toEqual(before)
    return error
  }

  test('of an archive in which a byte was changed or that was cut off, anywhere, nor where the code is taken', async () => {
    const bytes = readFileSync(file)
    const path = join(dir, 'changed.tar')
    for (const at of [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2), bytes.length - 8000]) {
      writeFileSync(path, bytes.with(at, bytes[at]! ^ 1))
      expect(await refused(path, 'changed')).toMatch(/cannot be restored|is not the archive/)
    }
    for (const size of [0, 512, 5000, bytes.length - 1024, bytes.length - 3000]) {
      writeFileSync(path, bytes.subarray(0, size))
      expect(await refused(path, 'cut')).toMatch(/cut off|its end is missing|not the archive|not an archive/)
    }
    expect(await refused(file, source.tenant.code)).toBe(`There is a tenant ${source.tenant.code} already.`)
  })

  test('by a second import into a code into which one is running', async () => {
    const manifest = await verifyTenantArchive(file, quiet)
    let second = ''
    const put: typeof storage.put = async (...bytes) => {
      second ||= await bring(file, 'twice').then(String, (error) => error.message)
      return storage.put(...bytes)
    }
    const first = await importTenant(world.database, { ...storage, put }, file, manifest, 'twice', quiet)
    expect(second).toBe('An import into twice is running.')
    expect(await world.look.rows(`select id::float8 from tenants where code = 'twice'`)).toEqual([
      { id: first.tenantId },
    ])
  })

  test('of an archive of another version', async () => {
    const here = archive.manifest.migrations
    expect(() => assertSameVersion(archive.manifest, here)).not.toThrow()
    expect(() => assertSameVersion(archive.manifest, here.slice(1))).toThrow('other migrations')
    const newer = [...here, { name: '9999_x.sql', checksum: '' }]
    expect(() => assertSameVersion(archive.manifest, newer)).toThrow('9999_x.sql')
  })

  test('and nothing is left if the import fails in the middle', async () => {
    const manifest = await verifyTenantArchive(file, quiet)
    const before = await counts()
    const breaking = { ...storage, put: () => Promise.reject(new Error('the disk is full')) }
    const broken = importTenant(world.database, breaking, file, manifest, 'half', quiet)
    await expect(broken).rejects.toThrow('the disk is full')
    expect(await counts()).toEqual(before)
  })
})

test('every column that names rows without a foreign key is declared as such', async () => {
  const NAMES_NOTHING = ['invalidations.transaction_id', 'payment_orders.plan_id', 'webhooks.last_event_id']
  const byName = new Map(tables.map((table) => [table.name, table]))
  const comesAlong = (table: Table) => withheldOf(table).isImported && withheldOf(table).rows !== true
  const columns = Object.keys(excusedFrom('a column without a foreign key')).filter((it) => !NAMES_NOTHING.includes(it))
  const undeclared = columns.filter((place) => {
    const [name, column] = place.split('.') as [string, string]
    const table = byName.get(name)!
    return comesAlong(table) && !table.facts.references?.[column]
  })
  expect(undeclared).toEqual([])

  // Another column, such as one that is generated, may have the foreign key.
  const unfollowed = tables
    .filter((table) => table.ofTenants && comesAlong(table))
    .flatMap((table) => table.columns.map((column) => ({ table, ...column })))
    .filter(({ name, type }) => /^_?int8$/.test(type) && /_(id|by)$/.test(name) && name !== 'tenant_id')
    .filter(({ table, name }) => !table.facts.references?.[name] && !targetOf(byName, table, name))
    .map(({ table, name }) => `${table.name}.${name}`)
  expect(unfollowed.filter((place) => !NAMES_NOTHING.includes(place))).toEqual([])
})
