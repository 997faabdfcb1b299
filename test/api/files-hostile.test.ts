import { request } from 'node:http'
import { deflateRawSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { pngOf, zipOf } from '../support/form.ts'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

/** What is meant to be taken for something else, to grow, or to lead elsewhere. */
const { folder, world, upload } = await openWorldWithFiles()
await world.app.listen({ port: 0, host: '127.0.0.1' })
let tenant: Tenant
let author: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
})

const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('a name', () => {
  test.each([
    [`${'😀'.repeat(251)}.png`, `${'😀'.repeat(251)}.png`],
    ['<img src=x onerror=1>.png', '<img src=x onerror=1>.png'],
    ['a.png;filename=b.exe.png', 'a.png;filename=b.exe.png'],
    ['....//....//x.png', 'x.png'],
  ])('such as %j is shown as %j, and is nowhere in the path', async (filename, kept) => {
    const file = await upload.file(author, { filename })
    expect(file.originalName).toBe(kept)
    expect(folder.names(tenant.id)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.png$/)])
    const { headers } = await upload.download(author, file.url)
    const plain = kept.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
    expect(headers['content-disposition']).toMatch(/^inline; filename="[^"\r\n]*"(; filename\*=UTF-8''[^"\s;]+)?$/)
    expect(headers['content-disposition']).toContain(`filename="${plain}"`)
  })

  test.each([
    [`name="file"; filename*=UTF-8''..%2F..%2Fx.png`, 'x.png'],
    [`name="file"; filename="a.exe"; filename*=UTF-8''a.png`, 'a.png'],
    [`name="file"; filename="../../x.png"; filename="y.exe"`, undefined],
  ])('in the header %s leads nowhere else', async (header, kept) => {
    const answer = await upload.send(author, [{ header, content: pngOf(10) }])
    if (answer.status === 201) expect(answer.data.originalName).toBe(kept ?? 'x.png')
    else expect([400, 415]).toContain(answer.status)
    for (const name of folder.names(tenant.id)) expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
  })
})

describe('a content', () => {
  test.each([
    ['png', Buffer.concat([pngOf(50), Buffer.from(SCRIPT)]), 'inline; ', 'image/png'],
    ['gif', latin1(`GIF89a/*${SCRIPT}*/=1;alert(1)`), 'inline; ', 'image/gif'],
    ['jpg', latin1('\xff\xd8\xff\xe0<?php system($_GET[0]); ?>'), 'inline; ', 'image/jpeg'],
    ['webp', latin1(`RIFF\0\0\0\0WEBP${SVG}`), 'inline; ', 'image/webp'],
    ['pdf', latin1(`%PDF-1.7\n${SCRIPT}`), 'inline; ', 'application/pdf'],
    ['txt', Buffer.from(`<!doctype html>${SCRIPT}`), 'attachment; ', 'text/plain; charset=utf-8'],
    ['zip', Buffer.concat([zipOf(['a']), Buffer.from(SCRIPT)]), 'attachment; ', 'application/zip'],
  ])('that is %s and something else too is served as the former alone', async (extension, content, how, type) => {
    const file = await upload.file(author, { filename: `a.${extension}`, content })
    const answer = await upload.download(author, file.url)
    expect(answer.rawPayload).toEqual(content)
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-disposition': expect.stringMatching(`^${how}`),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-site',
    })
  })

  test('that would unpack to a gigabyte is never unpacked', async () => {
    const bomb = bombOf(1_000_000_000)
    const before = process.memoryUsage().rss
    const file = await upload.file(author, { filename: 'bomb.zip', content: bomb })
    const document = zipOf(['[Content_Types].xml', 'word/a', 'b'.repeat(60_000)])
    document.writeUInt32LE(0xffff_ffff, document.indexOf('PK\x01\x02', 0, 'latin1') + 24)
    const office = await upload.file(author, { filename: 'bomb.docx', content: document })
    expect([file.size, office.size]).toEqual([bomb.length, document.length])
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })
})

describe('an address', () => {
  /** As it is: other clients would tidy the path up before they send it. */
  const ask = (path: string, method = 'GET') =>
    new Promise<number>((resolve, reject) => {
      const { port } = world.app.server.address() as { port: number }
      const headers = { authorization: `Bearer ${author.token}` }
      const asking = request({ host: '127.0.0.1', port, method, path: `/api/v1/files/${path}`, headers }, (answer) => {
        resolve(answer.resume().statusCode!)
      })
      asking.once('error', reject).end()
    })

  test('with a malformed tenant is refused', async () => {
    for (const id of ['0', '-1', '01', '1.0', '0x1', 'x', '%31', '1%2f', '9007199254740993', '..', '.', '%2e%2e'])
      expect([id, await ask(`${id}/${'0'.repeat(32)}.png`)]).toEqual([id, 400])
  })

  test('counts only as it is written: by another one nothing is read and nothing deleted', async () => {
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
    for (const method of ['GET', 'DELETE'])
      for (const variant of variants) expect([variant, await ask(variant, method)]).toEqual([variant, 404])
    for (const malformed of [`${id}/a%00.png`, `0${id}/${name}`, `${id}.0/${name}`])
      expect([malformed, await ask(malformed, 'DELETE')]).toEqual([malformed, 400])
    expect(await ask(`${id}/${name}?download=1`)).toBe(200)
  })
})

/** A zip of one entry, some kilobytes long, that says it unpacks to so many zeros: one deflated block, again and again. */
function bombOf(size: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(1_000_000))
  const shell = zipOf(['zeros'])
  const list = shell.indexOf('PK\x01\x02', 0, 'latin1')
  for (const at of [22, list + 24]) shell.writeUInt32LE(size, at)
  return Buffer.concat([shell.subarray(0, list), packed, shell.subarray(list)])
}
