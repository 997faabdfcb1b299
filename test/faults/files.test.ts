import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { mountAt, tryToMount } from '../support/disk.ts'
import { pngOf } from '../support/form.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder } from '../support/uploads.ts'

const PASSWORD = 'admin123'

let folder: ReturnType<typeof givenFolder>
let service: ServiceProcess | undefined
let undo: (() => void) | undefined
afterEach(async () => {
  await service?.end('SIGKILL')
  undo?.()
  folder.remove()
  service = undo = undefined
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

async function givenService({ megabytes, env: more = {} }: { megabytes?: number; env?: Record<string, string> }) {
  folder = givenFolder()
  if (megabytes) undo = mountAt(folder.root, megabytes)
  const databaseUrl = await cloneDatabase()
  const env = { FILE_STORAGE_ROOT: folder.root, ...more }
  service = await startProcess({ databaseUrl, env })
  const signIn = await service.remote.as().post('/auth/login', { username: 'admin', password: PASSWORD })
  return { token: signIn.expect(200).accessToken as string }
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
