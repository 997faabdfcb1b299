import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { OutcomeUnknown } from '../../src/data/wire/unavailable.ts'
import { keepUpload } from '../../src/domains/files/files.actions.ts'
import { openStorage } from '../../src/domains/files/storage/open-storage.ts'
import { sweepFiles, temporaryFiles } from '../../src/domains/files/upkeep/sweep.ts'
import { pngOf } from '../support/form.ts'
import { runJob } from '../support/jobs.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

/** In ms. The clock of a file system steps, so that a file which was just written may seem to come from the future. */
const ANY_AGE = -60_000
const { folder, world, upload } = await openWorldWithFiles()
const storage = await openStorage({ storage: 'local', root: folder.root, maxSize: 10_485_760 })
let tenant: Tenant
let author: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
})

const pathOf = (file: { key: string }) => join(folder.root, file.key)
const rows = () => world.look.count('select count(*) from files where tenant_id = $1', [tenant.id])
const nameOf = ({ key }: { key: string }) => key.split('/')[1]!
const uploads = (count: number) => Promise.all(Array.from({ length: count }, () => upload.file(author)))

test('bytes whose row is written or not, which nobody knows, stay until the sweep has looked', async () => {
  await upload.file(author)
  const spooled = await storage.spool.open(tenant.id)
  await spooled.write(pngOf(10))
  const facts = { originalName: 'a.png', extension: 'png', contentType: 'image/png', size: 10, sha256: '' }
  const keeping = keepUpload(storage, tenant.id, { path: spooled.path, ...facts }, () => {
    throw new OutcomeUnknown('the line broke in the commit')
  })
  await expect(keeping).rejects.toThrow('the line broke')
  await spooled.discard()
  expect([await rows(), folder.names(tenant.id).length]).toEqual([1, 2])
  await sweepFiles(world.database, storage, { lost: ANY_AGE })
  expect([await rows(), folder.names(tenant.id).length]).toEqual([1, 1])
})

describe('the sweep', () => {
  const name = (digit: string) => `${digit.repeat(32)}.png`
  const put = (file: string, age = 0, id = tenant.id) => {
    mkdirSync(join(folder.root, String(id)), { recursive: true })
    writeFileSync(join(folder.root, String(id), file), 'x')
    const at = Date.now() / 1000 - age
    utimesSync(join(folder.root, String(id), file), at, at)
  }
  const sweep = (more: object = {}) => sweepFiles(world.database, storage, { lost: ANY_AGE, ...more })
  const names = () => folder.names(tenant.id).sort()
  /** What earlier tests have lost on purpose. */
  beforeEach(async () => {
    await world.look.rows('delete from files where tenant_id <> $1', [tenant.id])
    for (const id of readdirSync(folder.root)) rmSync(join(folder.root, id), { recursive: true, force: true })
  })

  /** The keys of what lies there, below the days. */
  const quarantine = () =>
    readdirSync(folder.root, { recursive: true, encoding: 'utf8' })
      .flatMap((path) => /^quarantine\/[\d-]+\/(\d+\/.+)/.exec(path)?.[1] ?? [])
      .sort()

  test('puts bytes without a row aside, reports rows without bytes, and leaves the rest alone', async () => {
    const files = await uploads(3)
    rmSync(pathOf(files[2]))
    put(name('a'))
    put('notes.txt')
    const found = await sweep()
    expect(found).toMatchObject({
      matched: 2,
      strays: [{ tenantId: tenant.id, filename: name('a') }],
      orphans: [{ tenantId: tenant.id, filename: nameOf(files[2]) }],
    })
    expect(await world.as(author).read('/files')).toHaveLength(3)
    expect(quarantine()).toEqual([`${tenant.id}/${name('a')}`])
    expect(names()).toEqual([...files.slice(0, 2).map(nameOf), 'notes.txt'].sort())
    expect(await sweep()).toMatchObject({ matched: 2, strays: [], orphans: { length: 1 } })
    ;(await world.as(author).delete(`/files/${files[2].key}`)).expect(200)
    expect(await sweep()).toMatchObject({ matched: 2, strays: [], orphans: [] })
  })

  test('brings bytes back as soon as a row asks for them: of a database of an earlier day, and of the day again', async () => {
    const files = await uploads(3)
    const before = new Map(files.map((file) => [file.key, readFileSync(pathOf(file))]))
    await world.look.rows('create table rows_of_today as select * from files where tenant_id = $1', [tenant.id])
    await world.look.rows('delete from files where filename = $1', [nameOf(files[1])])
    expect(await sweep()).toMatchObject({ matched: 2, quarantined: 1 })
    expect(quarantine()).toEqual([files[1].key])

    await world.look.rows('insert into files select * from rows_of_today on conflict do nothing')
    await world.look.rows('drop table rows_of_today')
    expect(await sweep()).toMatchObject({ matched: 2, returned: 1, orphans: [] })

    expect(quarantine()).toEqual([])
    for (const file of files) expect(readFileSync(pathOf(file))).toEqual(before.get(file.key))
  })

  test('moves nothing if more than a few have no row, or none has its bytes, unless it is ordered to', async () => {
    const files = await uploads(12)
    for (const digit of ['a', 'b', 'c', 'd', 'e', 'f']) put(name(digit))
    expect(await sweep()).toMatchObject({ matched: 12, strays: { length: 6 }, quarantined: 0 })
    expect([names().length, quarantine()]).toEqual([18, []])
    expect(await sweep({ although: true })).toMatchObject({ matched: files.length, quarantined: 6 })
    expect(quarantine()).toHaveLength(6)

    for (const file of files) rmSync(pathOf(file))
    for (const digit of ['1', '2', '3']) put(name(digit))
    expect(await sweep()).toMatchObject({ matched: 0, strays: { length: 3 }, orphans: { length: 12 } })
    expect([await rows(), names().length]).toEqual([12, 3])
  })

  test('leaves a tenant alone that is closing, as one that is imported is', async () => {
    const importing = await world.givenTenant()
    await world.look.rows(
      `update tenants set status = 'closing', status_before = 'active', erase_at = now() + interval '1 day' where id = $1`,
      [importing.id],
    )
    await upload.file(author)
    put(name('a'), 0, importing.id)
    expect(await sweep()).toMatchObject({ matched: 1, strays: [] })
    expect(folder.names(importing.id)).toEqual([name('a')])
  })

  test('removes from quarantine what nobody has asked for in so many days', async () => {
    const [young, old] = [6, 8].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
    for (const day of [young!, old!]) {
      mkdirSync(join(folder.root, 'quarantine', day, '1'), { recursive: true })
      writeFileSync(join(folder.root, 'quarantine', day, '1', name('a')), 'x')
    }
    await sweep({ keepDays: 7 })
    expect(readdirSync(join(folder.root, 'quarantine'))).toEqual([young])
  })

  test.each([-1, 0, 1])(
    'leaves what is young, by the clocks of the files and of the database, also where one is %i hours off',
    async (hours) => {
      const young = await upload.file(author)
      put(name('a'))
      rmSync(pathOf(await upload.file(author)))
      const spooled = await storage.spool.open(tenant.id)
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3_600_000 })
      const found = await sweep({ lost: 600_000 })
      const removed = await storage.spool.removeAbandoned(60_000)
      vi.useRealTimers()
      await spooled.discard()
      expect(found).toMatchObject({ matched: 1, strays: [], orphans: [] })
      expect([removed, await rows()]).toEqual([0, 2])
      expect(names()).toEqual([name('a'), nameOf(young)].sort())
    },
  )

  test('of two replicas at the same time does no harm', async () => {
    const files = await uploads(20)
    for (const file of files.slice(0, 5)) rmSync(pathOf(file))
    for (const digit of ['a', 'b', 'c', 'd']) put(name(digit))
    await Promise.all([sweep({ batch: 3 }), sweep(), sweep()])
    expect([await rows(), quarantine().length]).toEqual([20, 4])
    expect(names()).toEqual(files.slice(5).map(nameOf).sort())
    expect(await sweep({ batch: 3 })).toMatchObject({ matched: 15, orphans: { length: 5 }, strays: [] })
  })

  test('removes temporary files that nobody writes to any more', async () => {
    const temporary = (digit: string) => `.upload-${digit.repeat(24)}`
    put(temporary('a'), 61)
    put(temporary('b'), 5)
    put('.upload-other', 3600)
    await runJob(world.database, temporaryFiles, { FILE_STORAGE_ROOT: folder.root })
    expect(names()).toEqual([temporary('b'), '.upload-other'])
  })
})
