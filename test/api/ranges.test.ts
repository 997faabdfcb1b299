import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { S3_ACCESS, startFakeS3 } from '../support/fake-s3.ts'
import { pngOf } from '../support/form.ts'
import { givenFolder, uploadOf } from '../support/uploads.ts'
import { openWorld, type World } from '../support/world.ts'

/** Parts of files: the same from either storage, inside and in public. @see RFC 9110, section 14 */
const SIZE = 1000
const content = pngOf(SIZE)
const folder = givenFolder()
const s3 = await startFakeS3('bucket')
const STORAGES = {
  folder: { FILE_STORAGE_ROOT: folder.root },
  s3: {
    FILE_STORAGE: 's3',
    S3_ENDPOINT: s3.url,
    S3_BUCKET: 'bucket',
    S3_REGION: S3_ACCESS.region,
    S3_ACCESS_KEY_ID: S3_ACCESS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_ACCESS.secretAccessKey,
    S3_FORCE_PATH_STYLE: 'true',
    DATA_DIR: folder.root,
  },
}
afterAll(async () => {
  await s3.close()
  folder.remove()
})

describe.each(Object.entries(STORAGES))('of a file in %s', (_, env) => {
  let world: World
  const addresses: Record<string, string> = {}
  let token: string
  beforeAll(async () => {
    world = await openWorld({ env })
    const { administrator } = await world.givenTenant()
    token = administrator.token
    const file = await uploadOf(world).file(administrator, { content })
    const article = { title: 'With a picture', cover: file.url, status: 'published' }
    ;(await world.as(administrator).post('/content/articles', article)).expect(201)
    addresses.private = file.url
    addresses.public = file.url.replace('/api/v1/', '/api/v1/public/')
  })
  afterAll(() => world?.close())

  const ask = async (address: string, method: 'GET' | 'HEAD', range: string) => {
    const headers = { range, ...(address === 'private' && { authorization: `Bearer ${token}` }) }
    return world.app.inject({ method, url: addresses[address]!, headers })
  }

  describe.each(['private', 'public'])('%s', (address) => {
    test.each([
      ['bytes=-65557', 0, 999],
      ['bytes=-5', 995, 999],
      ['bytes=10-19', 10, 19],
      ['bytes=990-99999', 990, 999],
      ['bytes=5000-,0-4', 0, 4],
    ])('%s is from %i to %i', async (range, first, last) => {
      const answer = await ask(address, 'GET', range)
      expect([answer.statusCode, answer.rawPayload]).toEqual([206, content.subarray(first, last + 1)])
      expect(answer.headers).toMatchObject({
        'content-range': `bytes ${first}-${last}/${SIZE}`,
        'content-length': String(last + 1 - first),
      })
    })

    test.each(['bytes=1000-', 'bytes=-0', 'bytes=1a-5', 'bytes=-5-9'])('%s is refused', async (range) => {
      const { statusCode, headers } = await ask(address, 'GET', range)
      expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${SIZE}`])
      expect(headers['content-disposition']).toBeUndefined()
    })

    test.each(['bytes=0-4,10-14', 'lines=0-4'])('%s is all of it', async (range) => {
      const answer = await ask(address, 'GET', range)
      expect([answer.statusCode, answer.rawPayload]).toEqual([200, content])
    })

    test.each(['bytes=0-4', 'bytes=9000-', 'bytes=-65557', 'bytes=x'])(
      'a HEAD takes no notice of %s',
      async (range) => {
        const answer = await ask(address, 'HEAD', range)
        expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
        expect(answer.headers).toMatchObject({ 'content-length': String(SIZE), 'accept-ranges': 'bytes' })
        expect(answer.headers).not.toHaveProperty('content-range')
      },
    )
  })
})
