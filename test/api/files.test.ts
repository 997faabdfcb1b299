import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formOf, pngOf, zipOf } from '../support/form.ts'
import { obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { givenFolder, headOf, openLine, sha256, uploadOf } from '../support/uploads.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

const MAX = 10_485_760
const folder = givenFolder()
let world: World
let upload: ReturnType<typeof uploadOf>
let port: number
let tenant: Tenant
let boss: Person
let author: Person
let reader: Person
beforeAll(async () => {
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
  upload = uploadOf(world)
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  port = (world.app.server.address() as { port: number }).port
})
afterAll(async () => {
  await world.close()
  folder.remove()
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ;[author, reader] = [await world.givenUser(tenant), await world.givenUser(tenant)]
})

const pathOf = (file: { key: string }) => join(folder.root, file.key)
const address = (file: { url: string }) => file.url.replace('/api/v1', '')
const rowsOf = (id: number) => world.look.count('select count(*) from files where tenant_id = $1', [id])
/** Nothing of a refused upload is left, neither a row nor a byte. */
const expectNothing = async () => expect([await rowsOf(tenant.id), folder.names(tenant.id)]).toEqual([0, []])

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
    expect(answered.statusCode).toBe(200)
    expect(answered.rawPayload).toEqual(content)
  })

  test('is audited with its outcome', async () => {
    await upload.file(author)
    await upload.send(author, [{ filename: 'a.exe', content: 'MZ' }])
    await expect
      .poll(() =>
        world.look.rows(
          'select method, status, user_id::float8 from audit_operations where tenant_id = $1 order by id',
          [tenant.id],
        ),
      )
      .toEqual([
        { method: 'POST', status: 201, user_id: author.id },
        { method: 'POST', status: 415, user_id: author.id },
      ])
  })

  test('works for any client that sends forms, such as fetch', async () => {
    const form = new FormData()
    form.append('note', 'fields besides the file are not read')
    form.append('file', new Blob(['a;b\n1;2']), 'say "hi".csv')
    const headers = { authorization: `Bearer ${author.token}` }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/files`, { method: 'POST', body: form, headers })
    expect(answer.status).toBe(201)
    expect(((await answer.json()) as any).data).toMatchObject({
      originalName: 'say "hi".csv',
      contentType: 'text/csv; charset=utf-8',
    })
  })

  test.each([
    ['../../x.png', 'x.png'],
    ['..\\x.png', 'x.png'],
    ['%2e%2e%2fx.png', '%2e%2e%2fx.png'],
    ['CON.png', 'CON.png'],
    ['‏مرحبا.png', '‏مرحبا.png'],
    [`${'😀'.repeat(251)}.png`, `${'😀'.repeat(251)}.png`],
  ])('named %s is kept as %s, and stored under neither', async (filename, kept) => {
    const file = await upload.file(author, { filename })
    expect(file.originalName).toBe(kept)
    expect(folder.names(tenant.id)).toEqual([file.key.split('/')[1]])
    expect(readdirSync(folder.root).every((name) => /^\d+$/.test(name))).toBe(true)
  })

  test.each([
    ['a name without an extension', '../../x', 'x', 415],
    ['a hidden name', '.htaccess', 'x', 415],
    ['a script in SVG', 'a.svg', '<svg><script>alert(1)</script></svg>', 415],
    ['HTML called PNG', 'a.png', '<!doctype html><script>alert(1)</script>', 415],
    ['a program called text', 'a.txt', 'MZ\0\0', 415],
    ['a zip called Word', 'a.docx', zipOf(['a.txt']), 415],
    ['a NUL in the name', 'a\0.png', pngOf(10), 400],
    ['a name that turns around', 'a\u202egnp.png', pngOf(10), 400],
    ['256 characters', `${'a'.repeat(252)}.png`, pngOf(10), 400],
    ['an empty name', '', pngOf(10), 400],
    ['an empty file', 'a.png', '', 400],
  ])('with %s is refused and leaves nothing', async (_, filename, content, status) => {
    ;(await upload.send(author, [{ filename, content }])).expect(status)
    await expectNothing()
  })

  test.each([
    ['no part', []],
    ['a field in place of the file', [{ name: 'file', content: 'text' }]],
    ['the file in another part', [{ name: 'upload', filename: 'a.png', content: pngOf(10) }]],
    [
      'two files',
      [
        { filename: 'a.png', content: pngOf(10) },
        { filename: 'b.png', content: pngOf(10) },
      ],
    ],
    [
      'a second file elsewhere',
      [
        { filename: 'a.png', content: pngOf(10) },
        { name: 'b', filename: 'b.png', content: pngOf(10) },
      ],
    ],
    ['a file and a field of its name', [{ filename: 'a.png', content: pngOf(10) }, { content: 'x' }]],
    ['a part that asks for the prototype', [{ name: '__proto__', filename: 'a.png', content: pngOf(10) }]],
    ['fields without end', Array.from({ length: 50 }, (_, at) => ({ name: `f${at}`, content: 'x' }))],
  ])('with %s is refused and leaves nothing', async (_, parts) => {
    ;(await upload.send(author, parts)).expect(400, 'FILE_REJECTED')
    await expectNothing()
  })

  test('that ends before its last boundary is refused and leaves nothing', async () => {
    ;(await upload.send(author, [{ filename: 'a.png', content: pngOf(5000) }], { end: false })).expect(
      400,
      'FILE_REJECTED',
    )
    await expectNothing()
  })

  test.each([
    ['without a boundary', 'multipart/form-data', 400],
    ['with an empty boundary', 'multipart/form-data; boundary=', 400],
    ['with another boundary', 'multipart/form-data; boundary=other', 400],
    ['as JSON', 'application/json', 415],
    ['as another multipart', 'multipart/mixed; boundary=x', 415],
    ['as bytes', 'application/octet-stream', 415],
  ])('%s is %i', async (_, type, status) => {
    const { payload } = formOf([{ filename: 'a.png', content: pngOf(10) }])
    const sent = { method: 'POST', url: '/api/v1/files', payload, headers: { 'content-type': type } } as const
    ;(await world.as(author).send(sent)).expect(status)
    ;(await world.as(author).send({ method: 'POST', url: '/api/v1/files' })).expect(400, 'FILE_REJECTED')
    await expectNothing()
  })

  test('may be as large as the limit, and not a byte larger', async () => {
    expect((await upload.file(author, { content: pngOf(MAX) })).size).toBe(MAX)
    expect((await upload.file(author, { content: pngOf(MAX - 1) })).size).toBe(MAX - 1)
    const refused = await upload.send(author, [{ filename: 'a.png', content: pngOf(MAX + 1) }])
    expect(refused.expect(413, 'PAYLOAD_TOO_LARGE').details[0]).toMatchObject({ limit: MAX })
    expect(folder.names(tenant.id)).toHaveLength(2)
  })

  test('needs the permission, and that before a byte of it is read', async () => {
    const outsider = await world.givenUser(tenant, await world.givenRole(tenant, ['project:list']))
    const file = await upload.file(author)
    ;(await upload.send(outsider, [{ filename: 'a.png', content: pngOf(10) }])).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(outsider).delete(address(file))).expect(403, 'PERMISSION_DENIED')
    expect((await upload.download(outsider, file.url)).statusCode).toBe(200)
    const line = await openLine(port)
    line.socket.write(headOf('nobody', { 'content-type': 'multipart/form-data; boundary=x' }, 1000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 401 /)
    line.socket.destroy()
  })

  test('may leave its connection silent for as long as it may take, and the next request on it may not', async () => {
    const connected = new Promise<Socket>((resolve) => world.app.server.once('connection', resolve))
    const { payload, headers } = formOf([{ filename: 'a.png', content: pngOf(20_000) }])
    const line = await openLine(port)
    const socket = await connected
    line.socket.write(headOf(author.token, headers, payload.length))
    line.socket.write(payload.subarray(0, 10_000))
    await expect.poll(() => socket.timeout).toBe(300_000)

    line.socket.write(payload.subarray(10_000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 201 /)
    line.socket.write(headOf(author.token, headers, payload.length).replace('POST', 'PUT'))
    await expect.poll(() => socket.timeout).toBe(30_000)
    line.socket.destroy()
  })

  test('is a form only here', async () => {
    const form = formOf([{ name: 'title', content: 'x' }])
    ;(await world.as(boss).send({ method: 'POST', url: '/api/v1/approvals', ...form })).expect(415)
    const file = await upload.file(author)
    ;(await world.as(author).send({ method: 'DELETE', url: file.url, ...form })).expect(415)
  })
})

describe('64 concurrent uploads', () => {
  test('are all kept, each with its own bytes', async () => {
    const contents = Array.from({ length: 64 }, (_, at) => pngOf(20_000 + 1000 * at))
    const files = await Promise.all(
      contents.map(async (content, at) =>
        (await obeying(() => upload.send(author, [{ filename: `${at}.png`, content }]))).expect(201),
      ),
    )
    for (const [at, file] of files.entries()) expect(readFileSync(pathOf(file))).toEqual(contents[at])
    expect(folder.names(tenant.id)).toHaveLength(64)
    expect(await rowsOf(tenant.id)).toBe(64)
  })
})

describe('an upload that the client breaks off', () => {
  const form = formOf([{ filename: 'a.png', content: pngOf(200_000) }])

  test.each([0, 50, 150, 5_000, 100_000, form.payload.length - 1])(
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

  test('40 times at random moments leaves nothing', async () => {
    await Promise.all(
      Array.from({ length: 40 }, async (_, at) => {
        const line = await openLine(port)
        line.socket.write(headOf(author.token, form.headers, form.payload.length))
        line.socket.write(form.payload.subarray(0, at * 5000))
        await sleep(at)
        line.socket.destroy()
        await line.closed
      }),
    )
    await expectNothingButALaterOne()
  })

  /** The service may begin with an upload that its client has broken off: when a later one is kept it is done with it. */
  async function expectNothingButALaterOne() {
    await until(() => world.app.lifetime.inHand === 0)
    const { key } = await upload.file(author)
    await expect.poll(() => [folder.names(tenant.id), openFiles()]).toEqual([[key.split('/')[1]], 0])
    expect(await rowsOf(tenant.id)).toBe(1)
  }
})

describe('a body that is too much', () => {
  test('is refused by its announced length, before it comes', async () => {
    const line = await openLine(port)
    line.socket.write(headOf(author.token, { 'content-type': 'multipart/form-data; boundary=x' }, 10_000_000_000))
    await expect.poll(line.received).toMatch(/^HTTP\/1.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
    line.socket.destroy()
  })

  test.each([
    ['too large a file', 'a.png', pngOf(2 * MAX), 413],
    ['another content', 'a.png', Buffer.alloc(MAX, '<html>'), 415],
    ['another extension', 'a.exe', Buffer.alloc(MAX), 415],
    ['no name', '', pngOf(MAX), 400],
  ])(
    'is refused (%s) so that a client which reads only once it has sent everything sees it',
    async (_, filename, content, status) => {
      const { payload, headers } = formOf([{ filename, content }])
      const line = await openLine(port)
      line.socket.pause().write(headOf(author.token, headers, payload.length))
      await new Promise<void>((resolve) => line.socket.write(payload, () => resolve()))
      line.socket.resume()
      await expect.poll(line.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      // And the connection goes on.
      line.socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
      await expect.poll(line.received).toMatch(/200 OK[\s\S]*"ok"/)
      line.socket.destroy()
      await expectNothing()
    },
  )

  test('in chunks without end is refused at the limit, and then cut off', async () => {
    const { payload, headers } = formOf([{ filename: 'a.png', content: pngOf(1_000_000) }], { end: false })
    const line = await openLine(port)
    line.socket.write(headOf(author.token, headers))
    const chunk = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
    line.socket.write(chunk(payload))
    const more = chunk(Buffer.alloc(1_000_000, 1))
    for (let sent = 1; !line.socket.destroyed && sent < 120; sent++)
      await new Promise<void>((resolve) => line.socket.write(more, () => resolve()))
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1.1 413 /)
    await expectNothing()
  })

  test('around the file is cut off', async () => {
    const line = await openLine(port)
    line.socket.write(headOf(author.token, { 'content-type': 'multipart/form-data; boundary=x' }))
    const preamble = Buffer.concat([Buffer.from('f4240\r\n'), Buffer.alloc(1_000_000, 32), Buffer.from('\r\n')])
    while (!line.socket.destroyed) await new Promise<void>((resolve) => line.socket.write(preamble, () => resolve()))
    expect(line.received()).toBe('')
    await expectNothing()
  })
})

describe('a download', () => {
  test.each([
    ['png', pngOf(10), 'inline', 'image/png'],
    ['pdf', '%PDF-1.7 …', 'inline', 'application/pdf'],
    ['txt', '<script>alert(1)</script>', 'attachment', 'text/plain; charset=utf-8'],
    ['gif', 'GIF89a/*<script>*/=1', 'inline', 'image/gif'],
    ['zip', zipOf(['a']), 'attachment', 'application/zip'],
  ])('of %s says what it is, and lets no script run', async (extension, content, disposition, type) => {
    const file = await upload.file(author, { filename: `报告 "1".${extension}`, content })
    const { headers } = await upload.download(reader, file.url)
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `${disposition}; filename="__ _1_.${extension}"; filename*=UTF-8''%E6%8A%A5%E5%91%8A%20%221%22.${extension}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      etag: `"${file.sha256}"`,
    })
  })

  test('comes in parts, and again only when it has changed', async () => {
    const content = pngOf(1000)
    const file = await upload.file(author, { content })
    const get = async (headers: Record<string, string>) => {
      const { statusCode, rawPayload, headers: answered } = await upload.download(reader, file.url, headers)
      return { status: statusCode, bytes: rawPayload, range: answered['content-range'] }
    }
    const etag = `"${file.sha256}"`
    expect(await get({ range: 'bytes=10-19' })).toEqual({
      status: 206,
      bytes: content.subarray(10, 20),
      range: 'bytes 10-19/1000',
    })
    expect(await get({ range: 'bytes=-5' })).toMatchObject({ status: 206, bytes: content.subarray(995) })
    expect(await get({ range: 'bytes=990-99999' })).toMatchObject({ status: 206, bytes: content.subarray(990) })
    expect(await get({ range: 'bytes=10-19', 'if-range': etag })).toMatchObject({ status: 206 })
    expect(await get({ range: 'bytes=10-19', 'if-range': '"other"' })).toMatchObject({ status: 200, bytes: content })
    expect(await get({ 'if-none-match': etag })).toMatchObject({ status: 304, bytes: Buffer.alloc(0) })
    expect(await get({ 'if-none-match': '"other"' })).toMatchObject({ status: 200 })
    expect(await get({ 'if-match': etag, range: 'bytes=0-0' })).toMatchObject({ status: 206 })
    expect(await get({ 'if-match': '"other"' })).toMatchObject({ status: 412 })
    expect(await get({ 'if-unmodified-since': new Date(0).toUTCString() })).toMatchObject({ status: 412 })
  })

  test.each([
    ['beyond the end', 'bytes=1000-', 416],
    ['beyond the end on both sides', 'bytes=5000-6000', 416],
    ['of nothing', 'bytes=-0', 416],
    ['backwards', 'bytes=20-10', 416],
    ['that is negative', 'bytes=--5', 416],
    ['that is no number', 'bytes=a-b', 416],
    ['of a thousand parts', `bytes=${Array.from({ length: 1000 }, (_, at) => `${at * 2}-${at * 2}`).join(',')}`, 200],
    ['in another unit', 'lines=1-2', 200],
  ])('with a range %s is no trouble', async (_, range, status) => {
    const file = await upload.file(author, { content: pngOf(1000) })
    const answer = await upload.download(reader, file.url, { range })
    expect(answer.statusCode).toBe(status)
    if (status === 200) return expect(answer.rawPayload).toHaveLength(1000)
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes */1000', 'cache-control': 'no-store' })
    expect(answer.headers['content-disposition']).toBeUndefined()
    expect(answer.json()).toMatchObject({ code: 416, error: { type: 'RANGE_NOT_SATISFIABLE' } })
  })

  test('can be asked for by its head alone', async () => {
    const file = await upload.file(author, { content: pngOf(1000) })
    const head = await upload.download(reader, file.url, {}, 'HEAD')
    const { headers } = await upload.download(reader, file.url)
    expect(head.statusCode).toBe(200)
    expect(head.rawPayload).toHaveLength(0)
    for (const name of ['content-length', 'content-type', 'etag', 'content-disposition', 'accept-ranges'])
      expect(head.headers[name]).toBe(headers[name])
  })

  test('is audited, also one that is refused or broken off', async () => {
    const file = await upload.file(author, { content: pngOf(MAX) })
    await upload.download(reader, file.url)
    await upload.download(reader, `/api/v1/files/${tenant.id}/${'0'.repeat(32)}.png`)
    const line = await openLine(port)
    line.socket.write(`GET ${file.url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${reader.token}\r\n\r\n`)
    line.socket.once('data', () => line.socket.destroy())
    await line.closed
    await expect.poll(openFiles).toBe(0)
    await expect
      .poll(() =>
        world.look.rows(`select status from audit_operations where tenant_id = $1 and method = 'GET' order by id`, [
          tenant.id,
        ]),
      )
      .toEqual([{ status: 200 }, { status: 404 }, { status: 200 }])
  })

  test('broken off fifty times leaves no file open', async () => {
    const file = await upload.file(author, { content: pngOf(3_000_000) })
    await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const line = await openLine(port)
        line.socket.write(`GET ${file.url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${reader.token}\r\n\r\n`)
        await sleep(at)
        line.socket.destroy()
      }),
    )
    await until(() => world.app.lifetime.inHand === 0)
    await expect.poll(openFiles).toBe(0)
  })
})

describe('an address', () => {
  /** As it is: other clients would tidy the path up before they send it. */
  const ask = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${author.token}` }
      const asking = request({ host: '127.0.0.1', port, path: `/api/v1/files/${path}`, headers }, (answer) => {
        resolve(answer.resume().statusCode!)
      })
      asking.once('error', reject).end()
    })

  test.each(['0', '-1', '01', '1.0', '0x1', 'x', '%31', '1%2f', '9007199254740993', '..', '.', '%2e%2e'])(
    'with the tenant %s is malformed',
    async (id) => {
      expect(await ask(`${id}/${'0'.repeat(32)}.png`)).toBe(400)
    },
  )

  test('counts only as it is written', async () => {
    const file = await upload.file(author)
    const [id, name] = file.key.split('/') as [string, string]
    const variants = [
      `${id}/..%2f${id}%2f${name}`,
      `${id}/..%2f..%2f..%2fetc%2fpasswd`,
      `${id}/%2e%2e%2f${name}`,
      `${id}/..%5c${name}`,
      `${id}/${name.replace('.', '%2e')}`,
      `${id}/%${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
      `${id}/${name.toUpperCase()}`,
      `${id}/${name}%20`,
      `${id}/./${name}`,
      `${id}/../${id}/${name}`,
      `${id}//${name}`,
      `${id}/${name}/`,
      `${id}/${name};x`,
    ]
    for (const variant of variants) expect([variant, await ask(variant)]).toEqual([variant, 404])
    expect(await ask(`${id}/a%00.png`)).toBe(400)
    expect(await ask(`${id}/${name}?download=1`)).toBe(200)
  })

  test('that leads to a link, a folder or nothing is missing', async () => {
    const file = await upload.file(author)
    writeFileSync(join(folder.root, 'secret'), 'secret')
    rmSync(pathOf(file))
    ;(await world.as(author).get(address(file))).expect(404, 'NOT_FOUND')
    symlinkSync('../secret', pathOf(file))
    ;(await world.as(author).get(address(file))).expect(404, 'NOT_FOUND')
    rmSync(pathOf(file))
    mkdirSync(pathOf(file))
    ;(await world.as(author).get(address(file))).expect(404, 'NOT_FOUND')
    rmSync(join(folder.root, 'secret'))
  })

  test('in a folder that is a link leads nowhere', async () => {
    const file = await upload.file(author)
    const elsewhere = givenFolder()
    writeFileSync(join(elsewhere.root, file.key.split('/')[1]!), 'secret')
    rmSync(join(folder.root, String(tenant.id)), { recursive: true })
    symlinkSync(elsewhere.root, join(folder.root, String(tenant.id)))
    ;(await world.as(author).get(address(file))).expect(404, 'NOT_FOUND')
    rmSync(join(folder.root, String(tenant.id)))
    elsewhere.remove()
  })
})

describe('a list of files', () => {
  test("shows the tenant's own, newest first, in pages", async () => {
    const uploads = [await upload.file(author), await upload.file(boss), await upload.file(author)]
    const files = uploads.map((file, at) => ({
      ...{ ...file, uploaderId: [author, boss, author][at]!.id },
      ...{ resourceType: null, resourceId: null },
    }))
    files.reverse()
    await upload.file((await world.givenTenant()).administrator)
    expect((await world.as(reader).get('/files')).expect(200)).toEqual(files)
    const page = await world.as(reader).get('/files?page=1&pageSize=2')
    expect(page.expect(200)).toEqual(files.slice(0, 2))
    expect(page.headers).toMatchObject({ 'x-total-count': '3', link: expect.stringContaining('page=2') })
    ;(await world.anyone.get('/files')).expect(401)
  })
})

describe('deleting a file', () => {
  test('takes away the row and the bytes', async () => {
    const file = await upload.file(author)
    expect((await world.as(author).delete(address(file))).expect(200)).toBeNull()
    await expectNothing()
    ;(await world.as(author).delete(address(file))).expect(404, 'NOT_FOUND')
    ;(await world.as(author).get(address(file))).expect(404, 'NOT_FOUND')
  })

  test('is for who uploaded it and who manages files', async () => {
    const [one, other] = [await upload.file(author), await upload.file(author)]
    ;(await world.as(reader).delete(address(one))).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(boss).delete(address(one))).expect(200)
    const manager = await world.givenUser(tenant, await world.givenRole(tenant, ['file:upload', 'file:manage']))
    ;(await world.as(manager).delete(address(other))).expect(200)
    ;(await world.as(author).delete(address(await upload.file(author)))).expect(200)
  })

  test('ten times concurrently succeeds once', async () => {
    const file = await upload.file(author)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => obeying(() => world.as(author).delete(address(file)))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)])
  })

  test('succeeds where the bytes are gone already', async () => {
    const file = await upload.file(author)
    rmSync(pathOf(file))
    ;(await world.as(author).delete(address(file))).expect(200)
    await expectNothing()
  })
})

describe('another tenant', () => {
  test('neither reads nor deletes, and cannot tell a file from none', async () => {
    const file = await upload.file(author)
    const stranger = (await world.givenTenant()).administrator
    const missing = `/files/${tenant.id}/${'0'.repeat(32)}.png`
    for (const action of ['get', 'delete'] as const) {
      const [there, not] = [await world.as(stranger)[action](address(file)), await world.as(stranger)[action](missing)]
      there.expect(404, 'NOT_FOUND')
      expect({ ...there.body, requestId: '' }).toEqual({ ...not.body, requestId: '' })
      expect(there.headers.etag).toBeUndefined()
    }
    const own = file.url.replace(`/${tenant.id}/`, `/${stranger.tenantId}/`)
    expect((await upload.download(stranger, own)).statusCode).toBe(404)
    expect((await upload.download(author, file.url, { 'x-tenant-code': 'default' })).statusCode).toBe(200)
  })

  test('is open to the system administrator by its path, and keeps that in its own trail', async () => {
    const file = await upload.file(author)
    expect((await upload.download(world.admin, file.url)).statusCode).toBe(200)
    ;(await world.as(world.admin).delete(address(file))).expect(200)
    ;(await world.as(world.admin).get('/files/999999/00000000000000000000000000000000.png')).expect(404)
    ;(await world.as(world.admin).delete('/files/999999/00000000000000000000000000000000.png')).expect(404)
    await expect
      .poll(() =>
        world.look.rows(
          `select method, status, username from audit_operations where tenant_id = $1 and user_id = 1 order by method`,
          [tenant.id],
        ),
      )
      .toEqual([
        { method: 'DELETE', status: 200, username: 'admin' },
        { method: 'GET', status: 200, username: 'admin' },
      ])
  })

  test('takes nothing that the system administrator uploads there by its code: it would be nobody’s', async () => {
    const { payload, headers } = formOf([{ filename: 'a.png', content: pngOf(10) }])
    const url = '/api/v1/files'
    const sent = { method: 'POST', url, payload, headers: { ...headers, 'x-tenant-code': tenant.code } } as const
    ;(await world.as(world.admin).send(sent)).expect(409, 'NOT_IN_TENANT')
  })
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
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return links.filter((path) => path.startsWith(folder.root)).length
}

test('the files of a tenant take no more room than they may, and another tenant has its own', async () => {
  const own = givenFolder()
  const small = await openWorld({ env: { FILE_STORAGE_ROOT: own.root, FILE_QUOTA_BYTES: '1000' } })
  const { administrator: ada } = await small.givenTenant()
  const { administrator: bob } = await small.givenTenant()
  const { send } = uploadOf(small)
  const file = (size: number) => [{ filename: 'a.txt', content: 'x'.repeat(size) }]

  const first = (await send(ada, file(600))).expect(201)
  const { details } = (await send(ada, file(401))).expect(409, 'STORAGE_FULL')
  expect(details).toEqual([expect.objectContaining({ path: 'body.file', limit: 1000, used: 600 })])
  expect(own.names(ada.tenantId)).toHaveLength(1)
  ;(await send(ada, file(400))).expect(201)
  ;(await send(bob, file(1000))).expect(201)
  ;(await small.as(ada).delete(first.url.replace('/api/v1', ''))).expect(200)
  ;(await send(ada, file(600))).expect(201)

  await small.close()
  own.remove()
})
