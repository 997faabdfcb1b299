import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyArchive } from '../../appliance/backup/verify-archive.ts'
import { Refusal } from '../../src/atrium/command-line.ts'
import { atrium } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { createDatabase, type Inspector, openInspector } from '../support/database.ts'
import { pngOf } from '../support/form.ts'
import { repack } from '../support/repack.ts'
import { uploadOf } from '../support/uploads.ts'
import { openWorld } from '../support/world.ts'

/** A backup is whole or refused. BIT_FLIPS=10000 for the full run. */
const FLIPS = Number(process.env.BIT_FLIPS ?? 200)

const dir = mkdtempSync(join(tmpdir(), 'atrium-damaged-'))
const archive = join(dir, 'whole.tar')
const opened: Inspector[] = []
let source: { url: string; root: string }
/** a database into which the archive was restored */
let restored: typeof source

beforeAll(async () => {
  const root = join(dir, 'source')
  const world = await openWorld({ env: { FILE_STORAGE_ROOT: root } })
  source = { url: world.databaseUrl, root }
  const project = await world.givenProject(world.admin)
  for (let at = 0; at < 20; at++) await world.givenTask(world.admin, project)
  await uploadOf(world).file(world.admin, { content: pngOf(3000) })
  await world.close()
  expect(await backup(archive)).toMatchObject({ code: 0 })
  restored = await givenTarget()
  expect(await restore(archive, restored)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await Promise.all(opened.map((look) => look.close()))
  rmSync(dir, { recursive: true, force: true })
})

const envOf = ({ url, root }: typeof source) => ({ DATABASE_URL: url, FILE_STORAGE_ROOT: root })
const backup = (file: string, from = source) => atriumHere(`backup ${file}`, { env: envOf(from) })
const restore = (file: string, to: typeof source, more = '') => atriumHere(`restore ${file}${more}`, { env: envOf(to) })
const look = async (url: string) => {
  const inspector = await openInspector(url)
  opened.push(inspector)
  return inspector
}
let count = 0
const givenTarget = async () => ({ url: await createDatabase(), root: join(dir, `files-${++count}`) })

/** Each table with its rows, in one order. */
async function contentOf(url: string) {
  const inspector = await look(url)
  const tables = await inspector.rows(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  const content: Record<string, unknown> = {}
  // When a migration was applied is a fact of the database.
  for (const { name } of tables)
    content[name] = await inspector.rows(
      name === 'schema_migrations'
        ? 'select name, checksum from schema_migrations order by 1'
        : `select t::text from ${name} t order by 1`,
    )
  return content
}

const OWNED = `
  select s.relname::text as sequence, c.relname::text as table, a.attname::text as column
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_class c on c.oid = d.refobjid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid where d.deptype in ('a', 'i') order by 1`

/** Draws from every sequence. */
async function expectFreshIds(url: string) {
  const inspector = await look(url)
  const owned = await inspector.rows(OWNED)
  expect(owned.length).toBeGreaterThan(20)
  for (const { sequence, table, column } of owned) {
    const [row] = await inspector.rows(
      `select nextval($1)::float8 as drawn, (select coalesce(max(${column}), 0)::float8 from ${table}) as highest`,
      [sequence],
    )
    expect(row!.drawn, sequence).toBeGreaterThan(row!.highest)
  }
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
    // Rows are most of it, so half of the flips are outside of them.
    const others = [...bytes.keys()].filter((at) => !isInRows(bytes, at))
    const found: string[] = []
    for (let flip = 0; flip < FLIPS; flip++) {
      const at =
        flip % 2 ? Math.floor(Math.random() * bytes.length) : others[Math.floor(Math.random() * others.length)]!
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
    const cuts = Array.from({ length: 60 }, (_, at) =>
      at < 50 ? length - 1 - at * 41 : Math.floor(Math.random() * length),
    )
    for (const size of cuts.sort((a, b) => b - a)) {
      truncateSync(copy, size)
      const error = await refusalOf(copy)
      if (!isSentence(error)) found.push(`${size} of ${length} bytes: ${error ?? 'accepted'}`)
    }
    expect(found).toEqual([])
  })

  test.each(['"tasks": 2', '"tasks_id_seq": "'])('in a number of its end, %s, is refused', async (number) => {
    const bytes = readFileSync(copy)
    const digit = bytes.lastIndexOf(number) + number.length
    expect(digit).toBeGreaterThan(number.length)
    bytes[digit]! ^= 1
    writeFileSync(copy, bytes)
    expect((await refusalOf(copy))?.message).toMatch(
      /cannot be restored: end\.json differs from what was written\. Nothing was changed\.$/,
    )
  })

  test('and is restored all the same changes nothing, with --replace neither', async () => {
    truncateSync(copy, readFileSync(copy).length / 2)
    expect(await restore(copy, restored, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be restored: .*cut off\. Nothing was changed\.\n$/),
    })
    const empty = await givenTarget()
    expect(await restore(copy, empty)).toMatchObject({ code: 1 })
    expect(await contentOf(empty.url)).toEqual({})
    expect(existsSync(empty.root)).toBe(false)
  })
})

/** Whether a byte is in an entry of rows that is longer than a block. */
function isInRows(bytes: Buffer, at: number): boolean {
  rowsOf ??= rangesOfRows(bytes)
  return rowsOf.some(([from, to]) => at >= from && at < to)
}
let rowsOf: [number, number][] | undefined

function rangesOfRows(bytes: Buffer): [number, number][] {
  const ranges: [number, number][] = []
  for (let at = 0; at < bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8)
    if (bytes.toString('latin1', at, at + 7) === 'tables/') ranges.push([at + 512, at + 512 + size])
    at += 512 + Math.ceil(size / 512) * 512
  }
  return ranges
}

describe('an archive whose end was written wrong', () => {
  const another = () => join(dir, `another-${++count}.tar`)

  test('with wrong sequences is restored, and hands out fresh ids all the same', async () => {
    const [file, target] = [another(), await givenTarget()]
    await repack(archive, file, (end) => {
      end.sequences.tasks_id_seq = '1'
      delete end.sequences.activities_id_seq
    })
    expect(await restore(file, target)).toMatchObject({ code: 0 })
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url))
    await expectFreshIds(target.url)
  })

  test.each<[string, (end: any) => void, RegExp]>([
    [
      'a wrong count of rows',
      (end) => (end.rows.tasks = 19),
      /the tables do not have as many rows as were written\. Nothing was changed\.$/,
    ],
    [
      'an end of another shape',
      (end) => (end.rows = 'none'),
      /end\.json differs from what was written\. Nothing was changed\.$/,
    ],
  ])('with %s is refused', async (_, change, sentence) => {
    const file = another()
    await repack(archive, file, change)
    expect((await refusalOf(file))?.message).toMatch(sentence)
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

test('after all that, a restored database is the one that was backed up, and its sequences hand out fresh ids', async () => {
  expect(await contentOf(restored.url)).toEqual(await contentOf(source.url))
  await expectFreshIds(restored.url)
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
  const env = { ...envOf(source), NODE_OPTIONS: `--import=${killing}` }
  for (let kills = 1; kills <= 2; kills++) {
    expect(await atrium(`backup ${file}`, { env })).toMatchObject({ code: null })
    expect([existsSync(file), drafts().length]).toEqual([false, kills])
  }
  // One of them may be another backup that is at work.
  utimesSync(join(dir, drafts()[0]!), 0, 0)

  expect(await backup(file)).toMatchObject({ code: 0 })
  expect(drafts()).toHaveLength(1)
  await expect(verifyArchive(file, () => {})).resolves.toBeDefined()

  const before = readFileSync(file)
  expect(await backup(file)).toMatchObject({
    code: 1,
    err: `${file} already exists. Name another file, or move that one away.\n`,
  })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(drafts()).toHaveLength(1)
})
