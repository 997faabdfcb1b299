import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answer } from './client.ts'
import { formOf, type Part, pngOf } from './form.ts'
import type { Person, World } from './world.ts'

/** A folder for the files of one test file. */
export function givenFolder() {
  const root = mkdtempSync(join(tmpdir(), 'atrium-files-'))
  return {
    root,
    /** the names in a tenant's folder, temporary ones included */
    names: (tenantId: number) =>
      existsSync(join(root, String(tenantId))) ? readdirSync(join(root, String(tenantId))) : [],
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
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

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A client that writes its bytes by hand, as one that misbehaves does. */
export function openLine(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text) => {
      received += text
    })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject).on('error', () => {})
      resolve({
        socket,
        received: () => received,
        closed: new Promise((gone) => socket.once('close', () => gone())),
      })
    })
  })
}
export interface Line {
  socket: Socket
  received(): string
  closed: Promise<void>
}

/** The head of an upload by hand. `length` undefined sends it in chunks. */
export function headOf(token: string, headers: Record<string, string>, length?: number): string {
  const size = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`
  const type = `content-type: ${headers['content-type']}`
  return `POST /api/v1/files HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${type}\r\n${size}\r\n\r\n`
}
