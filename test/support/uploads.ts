import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { sha256 } from '../../src/data/archive/sums.ts'
import { isStoredName } from '../../src/domains/files/files.rules.ts'
import type { Answer } from './client.ts'
import type { Inspector } from './database.ts'
import { newFolder } from './folder.ts'
import { formOf, type Part, pngOf } from './form.ts'
import type { Figure } from './invariants.ts'
import { openWorld, type Person, type World } from './world.ts'

/** A folder for the files of one test file, which is removed after it. */
export function givenFolder() {
  const root = newFolder()
  return {
    root,
    /** the names in a tenant's folder, temporary ones included */
    names: (tenantId: number) =>
      existsSync(join(root, String(tenantId))) ? readdirSync(join(root, String(tenantId))) : [],
  }
}

/** A world whose files are in a folder of their own. */
export async function openWorldWithFiles(env: Record<string, string> = {}) {
  const folder = givenFolder()
  const world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root, ...env } })
  return { folder, world, upload: uploadOf(world) }
}

/** Uploads in this process, without a connection. */
export function uploadOf(world: World) {
  return {
    send: (person: Person, parts: Part[], options: { end?: boolean } = {}): Promise<Answer> =>
      world.as(person).send({ method: 'POST', url: '/api/v1/files', ...formOf(parts, options) }),
    /** An upload that succeeds. */
    async file(person: Person, { filename = 'picture.png', content = pngOf(1000) }: Partial<Part> = {}) {
      return (await this.send(person, [{ filename, content }])).expect(201)
    },
    download: (person: Person, url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      world.app.inject({ method, url, headers: { authorization: `Bearer ${person.token}`, ...headers } }),
  }
}

export { sha256 }

/**
 * An upload over a connection of its own. `upTo`: so many bytes of the body are sent, then the client hangs up; what it
 * was answered by then is undefined. Rejects with Node's error when the connection is refused or lost.
 */
export function uploadTo(
  port: number,
  token: string,
  { payload, headers }: ReturnType<typeof formOf>,
  upTo = payload.length,
): Promise<{ status: number; data: any } | undefined> {
  return new Promise((resolve, reject) => {
    const always = { authorization: `Bearer ${token}`, 'content-length': payload.length }
    const target = { host: '127.0.0.1', port, method: 'POST', path: '/api/v1/files', agent: false as const }
    const call = request({ ...target, headers: { ...headers, ...always } }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode!, data: JSON.parse(text).data }))
      response.on('error', reject)
    })
    call.on('error', (error) => (call.destroyed && upTo < payload.length ? resolve(undefined) : reject(error)))
    if (upTo === payload.length) return void call.end(payload)
    call.write(payload.subarray(0, upTo), () => call.destroy())
  })
}

/** All that a folder or a bucket holds under stored names, by key. */
export type Stored = ReadonlyMap<string, { size: number; sha256: string }>

export function storedIn(root: string): Stored {
  const stored = new Map<string, { size: number; sha256: string }>()
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name: folder } of folders)
    for (const name of readdirSync(join(root, folder)).filter(isStoredName))
      stored.set(`${folder}/${name}`, digestOf(readFileSync(join(root, folder, name))))
  return stored
}

export function digestOf(bytes: Buffer): { size: number; sha256: string } {
  return { size: bytes.length, sha256: sha256(bytes) }
}

/** I14, both ways: whatever has a row has its bytes under its tenant's key, and whatever has bytes has a row. */
export async function checkFiles(look: Inspector, stored: Stored): Promise<Figure> {
  const rows = await look.rows<{ key: string; size: number; sha256: string }>(
    `select tenant_id || '/' || filename as key, size::int, sha256 from files`,
  )
  const broken = rows.filter((row) => {
    const found = stored.get(row.key)
    return found?.size !== row.size || found.sha256 !== row.sha256
  })
  const known = new Set(rows.map(({ key }) => key))
  const strays = [...stored.keys()].filter((key) => !known.has(key))
  return {
    id: 'I14',
    sentence: 'each file has its bytes, with their size and hash, under its tenant; all bytes belong to a file',
    checked: rows.length + stored.size,
    violations: broken.length + strays.length,
  }
}

/** The head of an upload by hand. `length` undefined sends it in chunks. */
export function headOf(token: string, headers: Record<string, string>, length?: number): string {
  const size = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const type = `content-type: ${headers['content-type']}`
  return `POST /api/v1/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${type}\r\n${size}\r\n\r\n`
}
