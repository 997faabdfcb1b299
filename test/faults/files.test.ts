import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/data/database.ts'
import { SERVICE_ROLE } from '../../src/data/migrate.ts'
import { openLocal } from '../../src/domains/files/storage/local.ts'
import { sweepFiles } from '../../src/domains/files/sweep.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { pngOf } from '../support/form.ts'
import { report } from '../support/invariants.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder } from '../support/uploads.ts'

/** KILLS=20 for the full run. */
const KILLS = Number(process.env.KILLS ?? 3)
const CLIENTS = 32
const PASSWORD = 'admin123'

let folder: ReturnType<typeof givenFolder>
let service: ServiceProcess | undefined
let look: Inspector | undefined
let undo: (() => void) | undefined
afterEach(async () => {
  await service?.end('SIGKILL')
  await look?.close()
  undo?.()
  folder.remove()
  service = look = undo = undefined
})

/** A file system of three megabytes, where this process may mount one. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

describe.skipIf(!mayMount)('a file system', () => {
  test('that is full takes no upload, keeps no part of one, and goes on with everything else', async () => {
    const { token } = await givenService({ megabytes: 3 })
    const kept = [await upload(token, pngOf(1_000_000)), await upload(token, pngOf(1_000_000))]
    expect(kept.map(({ status }) => status)).toEqual([201, 201])

    const refused = await Promise.all(Array.from({ length: 8 }, () => upload(token, pngOf(1_500_000))))
    for (const { status, body } of refused) expect([status, body.error.type]).toEqual([503, 'UNAVAILABLE'])
    expect(folder.names(1)).toHaveLength(2)
    ;(await service!.remote.as(token).get('/projects')).expect(200)
    ;(await service!.remote.as(token).get('/files')).expect(200)
    expect((await download(token, kept[0]!.body.data.url)).status).toBe(200)

    ;(await service!.remote.as(token).delete(kept[0]!.body.data.url.replace('/api/v1', ''))).expect(200)
    expect((await upload(token, pngOf(1_000_000))).status).toBe(201)
    expect(service!.output()).not.toContain('unexpected failure')
  })

  test('that is read-only takes no upload, and serves what it has', async () => {
    const { token } = await givenService({ megabytes: 3 })
    const kept = await upload(token, pngOf(1000))
    execFileSync('mount', ['-o', 'remount,ro', folder.root])
    expect((await upload(token, pngOf(1000))).status).toBe(503)
    expect((await download(token, kept.body.data.url)).status).toBe(200)
    ;(await service!.remote.as(token).get('/projects')).expect(200)
    // The row goes, the bytes stay for the sweep.
    ;(await service!.remote.as(token).delete(kept.body.data.url.replace('/api/v1', ''))).expect(200)
    expect(folder.names(1)).toHaveLength(1)
  })
})
if (!mayMount) console.warn('SKIPPED: full and read-only file systems: this process may not mount one (Linux, root)')

test('a folder that cannot be made does not keep the service from starting', async () => {
  const { token } = await givenService({ env: { FILE_STORAGE_ROOT: '/dev/null/files' } })
  expect((await upload(token, pngOf(1000))).status).toBe(503)
  ;(await service!.remote.as(token).get('/projects')).expect(200)
})

test(`a service that is killed ${KILLS} times in the midst of uploads keeps every file that it acknowledged, and no half one`, {
  timeout: 60_000 + KILLS * 15_000,
}, async () => {
  const { token, databaseUrl, env } = await givenService({})
  const acknowledged: { key: string; sha256: string }[] = []
  let sent = 0
  let running = true
  const clients = Array.from({ length: CLIENTS }, async () => {
    for (; running; sent++) {
      const content = pngOf(1000 + Math.floor(Math.random() * 400_000))
      const answer = await upload(token, content).catch(() => undefined)
      if (answer?.status === 201) acknowledged.push({ key: answer.body.data.key, sha256: hashOf(content) })
      else if (answer && answer.status !== 503) throw new Error(`an upload was answered with ${answer.status}`)
      else await sleep(20)
    }
  })
  let temporary = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(400 + 600 * Math.random())
    const { port } = service!
    await service!.end('SIGKILL')
    temporary += folder.names(1).filter((name) => name.startsWith('.upload-')).length
    service = await startProcess({ databaseUrl, port, env })
  }
  await sleep(300)
  running = false
  await Promise.all(clients)

  const rows = await look!.rows<{ filename: string; size: string; sha256: string }>('select * from files')
  const known = new Map(rows.map((row) => [`1/${row.filename}`, row.sha256]))
  const lost = acknowledged.filter(({ key, sha256 }) => known.get(key) !== sha256)
  const broken = rows.filter(({ filename, size, sha256 }) => {
    const bytes = readFileSync(join(folder.root, '1', filename))
    return bytes.length !== Number(size) || hashOf(bytes) !== sha256
  })
  const swept = await sweep(databaseUrl)
  const figures = { sent, acknowledged: acknowledged.length, rows: rows.length, temporaryAtKills: temporary, ...swept }
  report(`${KILLS} kills under ${CLIENTS} clients that upload`, [], {
    ...figures,
    lost: lost.length,
    broken: broken.length,
  })
  expect([lost, broken]).toEqual([[], []])
  expect(readdirSync(join(folder.root, '1')).sort()).toEqual(rows.map(({ filename }) => filename).sort())
})

async function givenService({ megabytes, env: more = {} }: { megabytes?: number; env?: Record<string, string> }) {
  folder = givenFolder()
  if (megabytes) undo = mountAt(folder.root, megabytes)
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  const env = { FILE_STORAGE_ROOT: folder.root, ...more }
  service = await startProcess({ databaseUrl, env })
  const signIn = await service.remote.as().post('/auth/login', { username: 'admin', password: PASSWORD })
  return { token: signIn.expect(200).accessToken as string, databaseUrl, env }
}

async function upload(token: string, content: Buffer): Promise<{ status: number; body: any }> {
  const body = new FormData()
  body.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), 'a.png')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`http://127.0.0.1:${service!.port}/api/v1/files`, { method: 'POST', body, headers })
  return { status: answer.status, body: await answer.json() }
}

async function download(token: string, url: string) {
  const answer = await fetch(`http://127.0.0.1:${service!.port}${url}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** What the service does by itself once things are ten minutes old. */
async function sweep(url: string) {
  const log = pino({ level: 'silent' })
  const lines = { readingLines: 1, writingLines: 1, heldLines: 1, flightTimeout: 5000, holdTimeout: 5000 }
  const database = await openDatabase({ url, role: SERVICE_ROLE, ...lines, log })
  const storage = openLocal({ storage: 'local', root: folder.root })
  await storage.spool.removeAbandoned(0)
  const { matched, strays, orphans } = await sweepFiles(database, storage, { lost: 0 })
  await database.close()
  return { matched, bytesWithoutRow: strays.length, rowsWithoutBytes: orphans.length }
}

function tryToMount(): boolean {
  const { root, remove } = givenFolder()
  try {
    mountAt(root, 1)()
    return true
  } catch {
    return false
  } finally {
    remove()
  }
}

function mountAt(path: string, megabytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' })
  return () => void spawnSync('umount', ['-l', path])
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
