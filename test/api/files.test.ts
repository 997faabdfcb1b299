import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { formOf, pngOf, zipOf } from '../support/form.ts'
import { openLine } from '../support/line.ts'
import { until } from '../support/patience.ts'
import { givenFolder, headOf, openWorldWithFiles, sha256 } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

const MAX = 10_485_760
const { folder, world, upload } = await openWorldWithFiles()
await world.app.listen({ port: 0, host: '127.0.0.1' })
const { port } = world.app.server.address() as { port: number }
let tenant: Tenant
let author: Person
let reader: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[author, reader] = [await world.givenUser(tenant), await world.givenUser(tenant)]
})

const pathOf = (file: { key: string }) => join(folder.root, file.key)
const rows = () => world.look.count('select count(*) from files where tenant_id = $1', [tenant.id])
/** Nothing of a refused upload is left, neither a row nor a byte. */
const expectNothing = async () => expect([await rows(), folder.names(tenant.id)]).toEqual([0, []])
/** Method, status and user of what the audit of the tenant holds, as it was written. */
const audited = async (where = 'true') =>
  (
    await world.look.rows<{ text: string }>(
      `select concat_ws(' ', method, status, user_id) as text from audit_operations where tenant_id = $1 and ${where} order by id`,
      [tenant.id],
    )
  ).map(({ text }) => text)
const FORM = { 'content-type': 'multipart/form-data; boundary=x' }
const png = (name = 'file') => ({ name, filename: 'a.png', content: pngOf(10) })

describe('an upload', () => {
  test('is kept under a name of its own and given back as it was', async () => {
    const content = pngOf(300_000)
    const answer = await upload.send(author, [{ filename: 'Aufmaß 季度.png', content }])

    const file = answer.expect(201)
    expect(file).toEqual({
      key: expect.stringMatching(new RegExp(`^${tenant.id}/[0-9a-f]{32}\\.png$`)),
      originalName: 'Aufmaß 季度.png',
      contentType: 'image/png',
      size: 300_000,
      sha256: sha256(content),
      url: `/api/v1/files/${file.key}`,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(answer.headers.location).toBe(file.url)
    expect(readFileSync(pathOf(file))).toEqual(content)
    expect(folder.names(tenant.id)).toHaveLength(1)
    const answered = await upload.download(reader, file.url)
    expect([answered.statusCode, answered.rawPayload]).toEqual([200, content])
    const saved = `inline; filename="Aufma_ __.png"; filename*=UTF-8''Aufma%C3%9F%20%E5%AD%A3%E5%BA%A6.png`
    const expected = { 'content-type': 'image/png', 'content-disposition': saved, etag: `"${sha256(content)}"` }
    expect(answered.headers).toMatchObject({
      ...{ ...expected, 'content-length': '300000', 'accept-ranges': 'bytes', 'cache-control': 'private, no-cache' },
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    })
    const head = await upload.download(reader, file.url, {}, 'HEAD')
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
    expect(head.headers).toMatchObject({ ...expected, 'content-length': '300000' })
  })

  test.each([
    ['HTML called PNG', 'a.png', '<!doctype html><script>alert(1)</script>', 415],
    ['a zip called Word', 'a.docx', zipOf(['a.txt']), 415],
    ['a NUL in the name', 'a\0.png', pngOf(10), 400],
    ['an empty file', 'a.png', '', 400],
  ])('with %s is refused and leaves nothing', async (_, filename, content, status) => {
    ;(await upload.send(author, [{ filename, content }])).expect(status)
    await expectNothing()
  })

  test.each([
    ['no part', []],
    ['a field in place of the file', [{ name: 'file', content: 'text' }]],
    ['the file in another part', [png('upload')]],
    ['two files', [png(), png()]],
    ['a second file elsewhere', [png(), png('b')]],
    ['a file and a field of its name', [png(), { content: 'x' }]],
    ['a part that asks for the prototype', [png('__proto__')]],
    ['fields without end', Array.from({ length: 50 }, (_, at) => ({ name: `f${at}`, content: 'x' }))],
  ])('with %s is refused and leaves nothing', async (_, parts) => {
    ;(await upload.send(author, parts)).expect(400, 'FILE_REJECTED')
    await expectNothing()
  })

  test('of another type, without its boundary, or that ends before its last one, is refused', async () => {
    const { payload } = formOf([png()])
    for (const [type, status] of [
      ['multipart/form-data', 400],
      ['multipart/form-data; boundary=', 400],
      ['multipart/form-data; boundary=other', 400],
      ['application/json', 415],
      ['multipart/mixed; boundary=x', 415],
      ['application/octet-stream', 415],
    ] as const) {
      const headers = { 'content-type': type }
      ;(await world.as(author).send({ method: 'POST', url: '/api/v1/files', payload, headers })).expect(status)
    }
    ;(await world.as(author).send({ method: 'POST', url: '/api/v1/files' })).expect(400, 'FILE_REJECTED')
    ;(await upload.send(author, [png()], { end: false })).expect(400, 'FILE_REJECTED')
    await expectNothing()
  })

  test('may be as large as the limit, and not a byte larger', async () => {
    expect((await upload.file(author, { content: pngOf(MAX) })).size).toBe(MAX)
    const refused = await upload.send(author, [{ filename: 'a.png', content: pngOf(MAX + 1) }])
    expect(refused.expect(413, 'PAYLOAD_TOO_LARGE').details[0]).toMatchObject({ limit: MAX })
    expect(folder.names(tenant.id)).toHaveLength(1)
  })

  test('is refused without a token before a byte of it is read', async () => {
    const line = await openLine(port)
    line.socket.write(headOf('nobody', FORM, 1000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 401 /)
  })

  test('may leave its connection silent for as long as it may take', async () => {
    const connected = new Promise<Socket>((resolve) => world.app.server.once('connection', resolve))
    const { payload, headers } = formOf([{ filename: 'a.png', content: pngOf(20_000) }])
    const line = await openLine(port)
    const socket = await connected
    line.socket.write(headOf(author.token, headers, payload.length))
    line.socket.write(payload.subarray(0, 10_000))
    await until(() => world.app.lifetime.inHand > 0)
    expect(socket.timeout ?? 0).toBe(0)

    line.socket.write(payload.subarray(10_000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 201 /)
    // Until the next request, silence ends it.
    await expect.poll(() => socket.timeout).toBeGreaterThan(60_000)
  })
})

describe('an upload that the client breaks off', () => {
  const form = formOf([{ filename: 'a.png', content: pngOf(200_000) }])

  test.each([0, 150, 100_000, form.payload.length - 1])(
    'after %i bytes leaves nothing, and is never a success',
    async (sent) => {
      const line = await openLine(port)
      line.socket.write(headOf(author.token, form.headers, form.payload.length))
      line.socket.write(form.payload.subarray(0, sent))
      if (sent >= 5000) await expect.poll(() => folder.names(tenant.id)).toHaveLength(1)
      line.socket.destroy()
      await line.closed
      await expectNothingButALaterOne()
      expect(line.received()).toBe('')
    },
  )

  test('after the last boundary, if more was announced, is not a success either', async () => {
    const line = await openLine(port)
    line.socket.write(headOf(author.token, form.headers, form.payload.length + 10))
    line.socket.write(form.payload)
    await expect.poll(() => folder.names(tenant.id)).toHaveLength(1)
    const { key } = await upload.file(author)
    expect(line.received(), 'while a later one is answered').toBe('')
    ;(await world.as(author).delete(`/files/${key}`)).expect(200)
    line.socket.end()
    await line.closed
    await expect.poll(() => folder.names(tenant.id)).toEqual([])
    expect(line.received()).not.toMatch(/ 2\d\d /)
    await expectNothing()
  })

  /** The service may begin with an upload that its client has broken off: when a later one is kept it is done with it. */
  async function expectNothingButALaterOne() {
    await until(() => world.app.lifetime.inHand === 0)
    const { key } = await upload.file(author)
    await expect.poll(() => [folder.names(tenant.id), openFiles()]).toEqual([[key.split('/')[1]], 0])
    expect(await rows()).toBe(1)
  }
})

describe('a body that is too much', () => {
  const chunkOf = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

  test('is refused by its announced length, before it comes', async () => {
    const line = await openLine(port)
    line.socket.write(headOf(author.token, FORM, 10_000_000_000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
  })

  test.each([
    ['too large a file', 'a.png', pngOf(2 * MAX), 413],
    ['another content', 'a.png', Buffer.alloc(MAX, '<html>'), 415],
  ])(
    'is refused (%s) so that a client which reads only once it has sent everything sees it',
    async (_, filename, content, status) => {
      const { payload, headers } = formOf([{ filename, content }])
      const line = await openLine(port)
      line.socket.pause().write(headOf(author.token, headers, payload.length))
      await line.write(payload)
      line.socket.resume()
      await expect.poll(line.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      // And the connection goes on.
      line.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
      await expect.poll(line.received).toMatch(/200 OK[\s\S]*"ok"/)
      await expectNothing()
    },
  )

  test('in chunks without end is refused at the limit, and then cut off', async () => {
    const { payload, headers } = formOf([{ filename: 'a.png', content: pngOf(1_000_000) }], { end: false })
    const line = await openLine(port)
    line.socket.write(headOf(author.token, headers))
    line.socket.write(chunkOf(payload))
    const more = chunkOf(Buffer.alloc(1_000_000, 1))
    for (let sent = 1_000_000; sent < 2 * MAX; sent += 1_000_000) await line.write(more)
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 413 /)
    while (!line.socket.destroyed) await line.write(more)
    await expectNothing()
  })

  test('around the file is cut off', async () => {
    const line = await openLine(port)
    line.socket.write(headOf(author.token, FORM))
    const preamble = chunkOf(Buffer.alloc(1_000_000, 32))
    while (!line.socket.destroyed) await line.write(preamble)
    expect(line.received()).toBe('')
    await expectNothing()
  })
})

describe('a download', () => {
  test('comes again, and in parts, only where its conditions hold', async () => {
    const file = await upload.file(author, { content: pngOf(1000) })
    const etag = `"${file.sha256}"`
    const part = { range: 'bytes=10-19' }
    const asked: [Record<string, string>, status: number, bytes?: number][] = [
      [{ ...part, 'if-range': etag }, 206, 10],
      [{ ...part, 'if-range': '"other"' }, 200, 1000],
      [{ 'if-none-match': etag }, 304, 0],
      [{ ...part, 'if-match': etag }, 206, 10],
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-unmodified-since': new Date(0).toUTCString() }, 412],
    ]
    for (const [headers, status, bytes] of asked) {
      const { statusCode, rawPayload } = await upload.download(reader, file.url, headers)
      expect([headers, statusCode, bytes && rawPayload.length]).toEqual([headers, status, bytes])
    }
    const beyond = await upload.download(reader, file.url, { range: 'bytes=1000-' })
    expect(beyond.json()).toMatchObject({ code: 416, error: { type: 'RANGE_NOT_SATISFIABLE' } })
    expect(beyond.headers['cache-control']).toBe('no-store')
  })

  test('is audited, also one that is refused or broken off, which leaves no file open', async () => {
    const file = await upload.file(author, { content: pngOf(MAX) })
    await upload.download(reader, file.url)
    await upload.download(reader, `/api/v1/files/${tenant.id}/${'0'.repeat(32)}.png`)
    const begin = async () => {
      const line = await openLine(port)
      line.socket.write(`GET ${file.url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${reader.token}\r\n\r\n`)
      return line
    }
    const line = await begin()
    line.socket.once('data', () => line.socket.destroy())
    await line.closed
    const trail = [200, 404, 200].map((status) => `GET ${status} ${reader.id}`)
    await expect.poll(() => audited(`method = 'GET'`)).toEqual(trail)

    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const { socket } = await begin()
        await sleep(at)
        socket.destroy()
      }),
    )
    await until(() => world.app.lifetime.inHand === 0)
    await expect.poll(openFiles).toBe(0)
  })
})

describe('an address', () => {
  test('that leads to a link, a folder or nothing is missing; what is deleted is the link and not its target', async () => {
    const [file, replaced] = [await upload.file(author), await upload.file(author)]
    const expectMissing = async () => (await world.as(author).get(file.url)).expect(404, 'NOT_FOUND')
    const secret = join(folder.root, 'secret')
    writeFileSync(secret, 'secret')
    for (const { key } of [file, replaced]) rmSync(join(folder.root, key))
    await expectMissing()
    for (const one of [file, replaced]) symlinkSync('../secret', pathOf(one))
    await expectMissing()
    rmSync(pathOf(file))
    mkdirSync(pathOf(file))
    await expectMissing()

    ;(await world.as(author).delete(replaced.url)).expect(200)

    expect(existsSync(pathOf(replaced))).toBe(false)
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    rmSync(secret)
  })

  test('in a folder that is a link leads nowhere', async () => {
    const file = await upload.file(author)
    const elsewhere = givenFolder()
    writeFileSync(join(elsewhere.root, file.key.split('/')[1]!), 'secret')
    rmSync(join(folder.root, String(tenant.id)), { recursive: true })
    symlinkSync(elsewhere.root, join(folder.root, String(tenant.id)))
    ;(await world.as(author).get(file.url)).expect(404, 'NOT_FOUND')
    rmSync(join(folder.root, String(tenant.id)))
  })
})

test('deleting a file is for who uploaded it and who manages files, and takes away the row and the bytes', async () => {
  const [file, other] = [await upload.file(author), await upload.file(author)]
  const form = formOf([{ name: 'title', content: 'x' }])
  ;(await world.as(author).send({ method: 'DELETE', url: file.url, ...form })).expect(415)
  ;(await world.as(reader).delete(file.url)).expect(403, 'PERMISSION_DENIED')
  expect((await world.as(author).delete(file.url)).expect(200)).toBeNull()
  const manager = await world.givenUser(tenant, ['file:upload', 'file:manage'])
  // Also where the bytes are gone already.
  rmSync(pathOf(other))
  ;(await world.as(manager).delete(other.url)).expect(200)
  await expectNothing()
  ;(await world.as(author).delete(file.url)).expect(404, 'NOT_FOUND')
  ;(await world.as(author).get(file.url)).expect(404, 'NOT_FOUND')
})

test('another tenant is open to the system administrator by its path, and keeps that in its own trail', async () => {
  const file = await upload.file(author)
  expect((await upload.download(world.admin, file.url)).statusCode).toBe(200)
  ;(await world.as(world.admin).delete(file.url)).expect(200)
  ;(await world.as(world.admin).get('/files/999999/00000000000000000000000000000000.png')).expect(404)
  ;(await world.as(world.admin).delete('/files/999999/00000000000000000000000000000000.png')).expect(404)
  // It would be nobody's.
  const { payload, headers } = formOf([png()])
  const inside = { ...headers, 'x-tenant-code': tenant.code }
  const sent = { method: 'POST', url: '/api/v1/files', payload, headers: inside } as const
  ;(await world.as(world.admin).send(sent)).expect(409, 'NOT_IN_TENANT')
  await expect
    .poll(async () => (await audited(`username = 'admin'`)).sort())
    .toEqual(['DELETE 200 1', 'GET 200 1', 'POST 409 1'])
})

test('when the row cannot be written, the bytes go as well', async () => {
  await world.look.rows(`
      create function has_room(name text) returns boolean language plpgsql as $$ begin
        if name = 'refused.png' then raise exception 'no room' using errcode = '53100'; end if; return true; end $$`)
  await world.look.rows('alter table files add constraint room check (has_room(original_name))')
  ;(await upload.send(author, [{ filename: 'refused.png', content: pngOf(10) }])).expect(503, 'UNAVAILABLE')
  await expectNothing()
})

/** Files under the storage that this process has open. */
function openFiles(): number {
  const isOurs = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder.root)
    } catch {
      return false
    }
  }
  return readdirSync('/proc/self/fd').filter(isOurs).length
}

test('the files of a tenant take no more room than they may, and another tenant has its own', async () => {
  const { folder: own, world: small, upload } = await openWorldWithFiles({ FILE_QUOTA_BYTES: '1000' })
  const { administrator: ada } = await small.givenTenant()
  const { administrator: bob } = await small.givenTenant()
  const { send } = upload
  const file = (size: number) => [{ filename: 'a.txt', content: 'x'.repeat(size) }]

  const first = (await send(ada, file(600))).expect(201)
  const { details } = (await send(ada, file(401))).expect(409, 'STORAGE_FULL')
  expect(details).toEqual([expect.objectContaining({ path: 'body.file', limit: 1000, used: 600 })])
  expect(own.names(ada.tenantId)).toHaveLength(1)
  ;(await send(ada, file(400))).expect(201)
  ;(await send(bob, file(1000))).expect(201)
  ;(await small.as(ada).delete(first.url)).expect(200)
  ;(await send(ada, file(600))).expect(201)
})
