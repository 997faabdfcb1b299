import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pngOf, zipOf } from '../support/form.ts'
import { givenFolder, uploadOf } from '../support/uploads.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What is meant to be taken for something else, to grow, or to lead elsewhere. */
const folder = givenFolder()
let world: World
let upload: ReturnType<typeof uploadOf>
let tenant: Tenant
let author: Person
beforeAll(async () => {
  world = await openWorld({ env: { FILE_STORAGE_ROOT: folder.root } })
  upload = uploadOf(world)
})
afterAll(async () => {
  await world.close()
  folder.remove()
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  author = await world.givenUser(tenant)
})

const rows = () => world.look.count('select count(*) from files where tenant_id = $1', [tenant.id])
const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('a name', () => {
  test.each([
    ['CON', 415],
    ['a.png.', 415],
    ['a.png::$DATA', 415],
    ['a.png/..', 400],
    ['a.png ;.exe', 415],
    ['.png', 415],
    ['.htaccess', 415],
    ['a.png%00.exe', 415],
    ['😀'.repeat(255), 415],
    [`${'😀'.repeat(255)}.png`, 400],
    ['/', 400],
    ['\u200f\u202e.png', 400],
  ])('such as %j is refused', async (filename, status) => {
    ;(await upload.send(author, [{ filename, content: pngOf(10) }])).expect(status)
    expect([await rows(), folder.names(tenant.id)]).toEqual([0, []])
  })

  test.each([
    ['a.php.png', 'a.php.png'],
    ['A.PNG', 'A.PNG'],
    ['<img src=x onerror=1>.png', '<img src=x onerror=1>.png'],
    ["'; drop table files; --.png", "'; drop table files; --.png"],
    ['$(id) `id` |id.png', '$(id) `id` |id.png'],
    ['a.png;filename=b.exe.png', 'a.png;filename=b.exe.png'],
    ['C:\\Windows\\x.png', 'x.png'],
    ['\\\\server\\share\\x.png', 'x.png'],
    ['....//....//x.png', 'x.png'],
    ['\u200fabc.png', '\u200fabc.png'],
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
    ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'pdf', 'zip', 'docx'].flatMap((extension) => [
      [extension, 'HTML', Buffer.from(`<!doctype html>${SCRIPT}`)] as const,
      [extension, 'SVG', Buffer.from(SVG)] as const,
      [extension, 'a program', latin1('MZ\x90\0\x03')] as const,
      [extension, 'a picture behind a space', Buffer.concat([Buffer.from(' '), pngOf(100)])] as const,
    ]),
    ['txt', 'a program', latin1('\x7fELF\x02\x01\x01\0')] as const,
    ['zip', 'a program that unpacks itself', Buffer.concat([latin1('MZ'), zipOf(['a.exe'])])] as const,
  ])('that is called %s and is %s is refused', async (extension, _, content) => {
    ;(await upload.send(author, [{ filename: `a.${extension}`, content }])).expect(415, 'UNSUPPORTED_MEDIA_TYPE')
    expect([await rows(), folder.names(tenant.id)]).toEqual([0, []])
  })

  test.each([
    ['png', Buffer.concat([pngOf(50), Buffer.from(SCRIPT)]), 'inline; ', 'image/png'],
    ['gif', latin1(`GIF89a/*${SCRIPT}*/=1;alert(1)`), 'inline; ', 'image/gif'],
    ['jpg', latin1('\xff\xd8\xff\xe0<?php system($_GET[0]); ?>'), 'inline; ', 'image/jpeg'],
    ['webp', latin1(`RIFF\0\0\0\0WEBP${SVG}`), 'inline; ', 'image/webp'],
    ['pdf', latin1(`%PDF-1.7\n${SCRIPT}`), 'inline; ', 'application/pdf'],
    ['txt', Buffer.from(`<!doctype html>${SCRIPT}`), 'attachment; ', 'text/plain; charset=utf-8'],
    ['md', Buffer.from(SVG), 'attachment; ', 'text/markdown; charset=utf-8'],
    ['csv', Buffer.from('=cmd|"/c calc"!A1'), 'attachment; ', 'text/csv; charset=utf-8'],
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

describe('deleting', () => {
  test('by an address that is written in another way deletes nothing', async () => {
    const file = await upload.file(author)
    const [id, name] = file.key.split('/') as [string, string]
    for (const path of [
      `${id}/..%2f${id}%2f${name}`,
      `${id}/%2e%2e%2f${id}%2f${name}`,
      `${id}/${name.replace('.', '%2e')}`,
      `${id}/${name.toUpperCase()}`,
      `${id}/${name}%00`,
      `${id}/${name}/`,
      `${id}//${name}`,
      `0${id}/${name}`,
      `${id}.0/${name}`,
    ]) {
      const { statusCode } = await world.app.inject({
        method: 'DELETE',
        url: `/api/v1/files/${path}`,
        headers: { authorization: `Bearer ${author.token}` },
      })
      expect([path, [400, 404]]).toEqual([path, expect.arrayContaining([statusCode])])
    }
    expect((await upload.download(author, file.url)).statusCode).toBe(200)
  })

  test('what was replaced by a link removes the link and not its target', async () => {
    const file = await upload.file(author)
    const secret = join(folder.root, 'secret')
    writeFileSync(secret, 'secret')
    rmSync(join(folder.root, file.key))
    symlinkSync('../secret', join(folder.root, file.key))

    ;(await world.as(author).delete(file.url.replace('/api/v1', ''))).expect(200)

    expect(existsSync(join(folder.root, file.key))).toBe(false)
    expect(readFileSync(secret, 'utf8')).toBe('secret')
    rmSync(secret)
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
