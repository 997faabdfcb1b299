import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyArchive } from '../../appliance/backup/verify-archive.ts'
import { Refusal } from '../../appliance/cli/refusal.ts'
import { atrium } from '../support/cli.ts'
import { createDatabase, type Inspector, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { repackAsFormat1 } from '../support/repack.ts'
import { startProcess } from '../support/service.ts'
import { uploadTo } from '../support/uploads.ts'

/** A backup is whole or refused. BIT_FLIPS=10000 for the full run. */
const FLIPS = Number(process.env.BIT_FLIPS ?? 1000)
vi.setConfig({ testTimeout: 1_800_000 })

const dir = mkdtempSync(join(tmpdir(), 'atrium-damaged-'))
const CLI = fileURLToPath(new URL('../../appliance/cli.ts', import.meta.url))
const opened: Inspector[] = []
let source: { url: string; root: string }
let archive: string

beforeAll(async () => {
  source = { url: await createDatabase(), root: join(dir, 'source') }
  const service = await startProcess({ databaseUrl: source.url, env: { FILE_STORAGE_ROOT: source.root } })
  const signIn = await service.remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })
  const token = signIn.expect(200).accessToken
  const me = service.remote.as(token)
  const project = (
    await me.post('/projects', { name: 'Apollo', code: 'APOLLO' }, { 'idempotency-key': 'apollo' })
  ).expect(201)
  for (let at = 0; at < 20; at++)
    (
      await me.post(
        `/projects/${project.id}/tasks`,
        { title: `Task ${at}`, priority: 'LOW' },
        { 'idempotency-key': `task-${at}` },
      )
    ).expect(201)
  await uploadTo(service.port, token, formOf([{ filename: 'a.png', content: pngOf(3000) }]))
  await service.end('SIGTERM')
  archive = join(dir, 'whole.tar')
  expect(await backup(archive)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await Promise.all(opened.map((look) => look.close()))
  rmSync(dir, { recursive: true, force: true })
})

const envOf = ({ url, root }: typeof source) => ({ DATABASE_URL: url, FILE_STORAGE_ROOT: root })
const backup = (file: string, from = source) => atrium(`backup ${file}`, { env: envOf(from) })
const restore = (file: string, to: typeof source, more = '') => atrium(`restore ${file}${more}`, { env: envOf(to) })
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

test('a restored database is the one that was backed up, and its sequences hand out fresh ids', async () => {
  const target = await givenTarget()
  expect(await restore(archive, target)).toMatchObject({ code: 0 })
  expect(await contentOf(target.url)).toEqual(await contentOf(source.url))
  await expectFreshIds(target.url)
})

describe('an archive that was damaged', () => {
  let copy: string
  beforeEach(() => {
    copy = join(dir, `copy-${++count}.tar`)
    copyFileSync(archive, copy)
  })

  /** What a verification says; undefined if it takes the archive. */
  const refusalOf = () =>
    verifyArchive(copy, () => {}).then(
      () => undefined,
      (error) => error,
    )
  const isSentence = (error: unknown) =>
    error instanceof Refusal && /^\S+ (cannot be restored: |is not a backup |was made by a newer )/.test(error.message)

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
      const error = await refusalOf()
      if (!isSentence(error)) found.push(`bit ${bit} of byte ${at}: ${error ?? 'accepted'}`)
      writeSync(file, bytes, at, 1, at)
    }
    const now = Buffer.alloc(bytes.length)
    readSync(file, now, 0, now.length, 0)
    closeSync(file)
    console.info(
      `${FLIPS} flips of one bit in ${bytes.length} bytes: ${found.length} accepted or not refused with a sentence`,
    )
    expect(found).toEqual([])
    expect(now.equals(bytes)).toBe(true)
    expect(await refusalOf()).toBeUndefined()
  })

  test('by a cut, anywhere, is refused with a sentence', async () => {
    const { length } = readFileSync(archive)
    const found: string[] = []
    const cuts = Array.from({ length: 100 }, (_, at) =>
      at < 50 ? length - 1 - at * 41 : Math.floor(Math.random() * length),
    )
    for (const size of cuts.sort((a, b) => b - a)) {
      truncateSync(copy, size)
      const error = await refusalOf()
      if (!isSentence(error)) found.push(`${size} of ${length} bytes: ${error ?? 'accepted'}`)
    }
    expect(found).toEqual([])
  })

  test('changes nothing, with --replace neither', async () => {
    const target = await givenTarget()
    expect(await restore(archive, target)).toMatchObject({ code: 0 })
    const before = await contentOf(target.url)
    const bytes = readFileSync(archive)
    for (const digit of [bytes.lastIndexOf('"tasks": 2'), bytes.lastIndexOf('"tasks_id_seq": "')]) {
      expect(digit).toBeGreaterThan(0)
      const file = openSync(copy, 'r+')
      writeSync(
        file,
        bytes
          .subarray(digit, digit + 100)
          .toString()
          .replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
        digit,
      )
      closeSync(file)
      expect(await restore(copy, target, ' --replace')).toMatchObject({
        code: 1,
        err: expect.stringMatching(
          /cannot be restored: end\.json differs from what was written\. Nothing was changed\.\n$/,
        ),
      })
      writeSyncBack(bytes)
    }
    expect(await contentOf(target.url)).toEqual(before)
  })

  function writeSyncBack(bytes: Buffer) {
    const file = openSync(copy, 'w')
    writeSync(file, bytes)
    closeSync(file)
  }
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

describe('an archive of format 1, whose end has no sum', () => {
  const older = () => join(dir, `format-1-${++count}.tar`)

  test('is restored, and what could not be checked is said', async () => {
    const [file, target] = [older(), await givenTarget()]
    await repackAsFormat1(archive, file)
    expect(await restore(file, target)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^This archive has format 1, in which end\.json has no checksum\. Every row, file /),
    })
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url))
  })

  test('with a wrong number of a sequence hands out fresh ids all the same', async () => {
    const [file, target] = [older(), await givenTarget()]
    await repackAsFormat1(archive, file, (end) => {
      end.sequences.tasks_id_seq = '1'
      delete end.sequences.activities_id_seq
    })
    expect(await restore(file, target)).toMatchObject({ code: 0 })
    await expectFreshIds(target.url)
  })

  test('with a wrong count of rows, or an end that is no JSON, is refused before anything is removed', async () => {
    const [file, target] = [older(), await givenTarget()]
    expect(await restore(archive, target)).toMatchObject({ code: 0 })
    await repackAsFormat1(archive, file, (end) => (end.rows.tasks = 19))
    expect(await restore(file, target, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the tables do not have as many rows as were written. Nothing was changed.'),
    })
    await repackAsFormat1(archive, file, (end) => (end.rows = 'none'))
    expect(await restore(file, target, ' --replace')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/end\.json differs from what was written\. Nothing was changed\.\n$/),
    })
    expect(await contentOf(target.url)).toEqual(await contentOf(source.url))
  })

  test('and one of a later format is refused by its name', async () => {
    const file = older()
    copyFileSync(archive, file)
    const at = readFileSync(file).indexOf('"format": 2')
    const bytes = readFileSync(file)
    bytes.write('"format": 3', at)
    const out = openSync(file, 'w')
    writeSync(out, bytes)
    closeSync(out)
    expect(await restore(file, await givenTarget())).toMatchObject({
      code: 1,
      err: expect.stringContaining('was made by a newer version (format 3); restore it with that version.'),
    })
  })
})

describe('a backup', () => {
  test('that is killed leaves no file of its name, and the next one says what to do', async () => {
    let isKilled = false
    for (let attempt = 0; attempt < 10 && !isKilled; attempt++) {
      const file = join(dir, `killed-${attempt}.tar`)
      const child = spawn(process.execPath, [CLI, 'backup', file], {
        env: {
          PATH: process.env.PATH,
          NODE_ENV: 'test',
          NODE_NO_WARNINGS: '1',
          DATA_DIR: join(dir, 'nowhere'),
          ...envOf(source),
        },
      })
      const ended = once(child, 'exit')
      while (child.exitCode === null && !existsSync(`${file}.part`))
        await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      await ended
      isKilled = existsSync(`${file}.part`)
      if (!isKilled) continue
      expect(existsSync(file)).toBe(false)
      expect(await backup(file)).toMatchObject({
        code: 1,
        err: `${file}.part exists: another backup is writing it, or was killed. If none is running, remove it: rm ${file}.part\n`,
      })
      rmSync(`${file}.part`)
      expect(await backup(file)).toMatchObject({ code: 0 })
      await expect(verifyArchive(file, () => {})).resolves.toMatchObject({ unchecked: undefined })
      expect(existsSync(`${file}.part`)).toBe(false)
    }
    expect(isKilled).toBe(true)
  })

  test('of a name that is taken says what to do, and leaves that file alone', async () => {
    const before = readFileSync(archive)
    expect(await backup(archive)).toMatchObject({
      code: 1,
      err: `${archive} already exists. Name another file, or move that one away.\n`,
    })
    expect(readFileSync(archive).equals(before)).toBe(true)
    expect(existsSync(`${archive}.part`)).toBe(false)
  })
})
