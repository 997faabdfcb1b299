import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { S3Settings } from '#atrium'
import { testConfig } from '#test/config.ts'
import { newFolder } from '#test/folder.ts'
import { pngOf } from '#test/form.ts'
import { sha256, uploadOf } from '#test/uploads.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { sweepFiles } from '../../../domains/files/upkeep/sweep.ts'
import { openS3 } from '../open-s3.ts'
import { startFakeS3 } from './fake-s3.ts'

const folder = newFolder()
const s3 = await startFakeS3('uploads')
const env = { DATA_DIR: folder, ...s3.env }
const world = await openWorld({ env })
const upload = uploadOf(world)
const settings = testConfig(env).files as S3Settings
const storage = await openS3(settings)
let tenant: Tenant
let author: Person
afterAll(async () => {
  await world.close()
  storage.close()
  await s3.close()
})
beforeEach(async () => {
  s3.breakDown()
  tenant = await world.givenTenant()
  author = tenant.administrator
})

const keys = () => [...s3.objects.keys()].filter((key) => key.startsWith(`${tenant.id}/`))
const spooled = () => readdirSync(join(folder, 'spool', String(tenant.id)))
const rows = () => world.look.count('select count(*) from files where tenant_id = $1', [tenant.id])

describe('a file in an S3-compatible store', () => {
  test('is uploaded, read, and deleted', async () => {
    const content = pngOf(300_000)
    const file = await upload.file(author, { filename: '季度.png', content })
    expect(s3.objects.get(file.key)).toMatchObject({ body: content, contentType: 'image/png' })
    expect([file.sha256, spooled()]).toEqual([sha256(content), []])

    const whole = await upload.download(author, file.url)
    expect([whole.statusCode, whole.rawPayload.equals(content)]).toEqual([200, true])
    expect(whole.headers).toMatchObject({ 'content-type': 'image/png', etag: `"${file.sha256}"` })
    const stale = await upload.download(author, file.url, { range: 'bytes=10-19', 'if-range': '"other"' })
    expect([stale.statusCode, stale.rawPayload.length]).toEqual([200, 300_000])

    ;(await world.as(author).delete(file.url.replace('/api/v1', ''))).expect(200)
    expect([keys(), await rows()]).toEqual([[], 0])
    expect((await upload.download(author, file.url)).statusCode).toBe(404)
  })

  test('is not asked for again while it has not changed, and is missing when the store has lost it', async () => {
    const file = await upload.file(author)
    s3.log.length = 0
    const answer = await upload.download(author, file.url, { 'if-none-match': `"${file.sha256}"` })
    expect([answer.statusCode, s3.log]).toEqual([304, []])
    s3.objects.delete(file.key)
    for (const method of ['GET', 'HEAD'] as const)
      expect((await upload.download(author, file.url, {}, method)).statusCode).toBe(404)
  })
})

describe('a store that does not work', () => {
  test.each(['SlowDown', 'hang up'] as const)('(%s) is 503, and the rest of the service goes on', async (failure) => {
    const file = await upload.file(author)
    s3.breakDown(failure)
    ;(await upload.send(author, [{ filename: 'a.png', content: pngOf(10) }])).expect(503, 'UNAVAILABLE')
    expect((await upload.download(author, file.url)).statusCode).toBe(503)
    ;(await world.as(author).get('/projects')).expect(200)
    ;(await world.as(author).get('/files')).expect(200)
    expect([spooled(), await rows()]).toEqual([[], 1])
  })

  test('does not keep a file from being deleted: the bytes follow with the sweep', async () => {
    const [kept, file] = [await upload.file(author), await upload.file(author)]
    s3.breakDown('SlowDown')
    ;(await world.as(author).delete(file.url.replace('/api/v1', ''))).expect(200)
    s3.breakDown()
    expect(keys()).toHaveLength(2)
    await sweepFiles(world.database, storage, { lost: 0 })
    expect(keys()).toEqual([kept.key])
  })

  test('refuses other keys, and so does the service then', async () => {
    const stranger = await openS3({ ...settings, credentials: { ...settings.credentials!, secretAccessKey: 'wrong' } })
    await expect(stranger.list(tenant.id)).rejects.toThrow('SignatureDoesNotMatch')
    stranger.close()
  })
})

test('the sweep compares the store with the table, page by page', async () => {
  const files = await Promise.all(Array.from({ length: 8 }, () => upload.file(author)))
  s3.objects.delete(files[2]!.key)
  const stray = `${tenant.id}/${'a'.repeat(32)}.png`
  s3.objects.set(stray, { body: Buffer.from('x'), contentType: '', modifiedAt: new Date(Date.now() - 5000) })
  await sweepFiles(world.database, storage, { lost: 0 })
  const left = files.toSpliced(2, 1).map(({ key }) => key)
  expect(keys().sort()).toEqual(left.sort())
  expect(await rows()).toBe(8)
  const moved = [...s3.objects.keys()].find((key) => key.endsWith(stray))
  expect(moved).toMatch(new RegExp(`^quarantine/\\d{4}-\\d\\d-\\d\\d/${stray}$`))

  // What a row asks for comes back from there.
  const [kept] = files
  const aside = moved!.replace(stray, kept!.key)
  s3.objects.set(aside, s3.objects.get(kept!.key)!)
  s3.objects.delete(kept!.key)
  expect(await sweepFiles(world.database, storage, { lost: 0 })).toMatchObject({ returned: 1 })
  expect([s3.objects.has(kept!.key), s3.objects.has(aside)]).toEqual([true, false])
})

test('without its package the service says what to install', async () => {
  const missing = () =>
    Promise.reject(Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' }))
  await expect(openS3(settings, missing)).rejects.toThrow('npm install @aws-sdk/client-s3')
})
