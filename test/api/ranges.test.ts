import { beforeAll, describe, expect, test } from 'vitest'
import { pngOf } from '../support/form.ts'
import { STORAGES } from '../support/storages.ts'
import { uploadOf } from '../support/uploads.ts'
import { openWorld, type World } from '../support/world.ts'

/** Parts of files: the same from each storage, inside and in public. What a header asks is in `test/unit/byte-range.test.ts`. @see RFC 9110, section 14 */
const SIZE = 1000
const content = pngOf(SIZE)

describe.each(STORAGES)('of a file in $name', ({ given }) => {
  let world: World
  const addresses: Record<string, string> = {}
  let token: string
  beforeAll(async () => {
    const { env } = await given()
    world = await openWorld({ env })
    const { administrator } = await world.givenTenant()
    token = administrator.token
    const file = await uploadOf(world).file(administrator, { content })
    const article = { title: 'With a picture', cover: file.url, status: 'published' }
    await world.as(administrator).create('/content/articles', article)
    addresses.private = file.url
    addresses.public = file.url.replace('/api/v1/', '/api/v1/public/')
  })

  const ask = async (address: string, method: 'GET' | 'HEAD', range: string) => {
    const headers = { range, ...(address === 'private' && { authorization: `Bearer ${token}` }) }
    return world.app.inject({ method, url: addresses[address]!, headers })
  }

  describe.each(['private', 'public'])('%s', (address) => {
    test('a part is the bytes that were asked for', async () => {
      for (const [range, first, last] of [
        ['bytes=-5', 995, 999],
        ['bytes=990-99999', 990, 999],
      ] as const) {
        const answer = await ask(address, 'GET', range)
        expect([answer.statusCode, answer.rawPayload]).toEqual([206, content.subarray(first, last + 1)])
        const [part, length] = [`bytes ${first}-${last}/${SIZE}`, String(last + 1 - first)]
        expect(answer.headers).toMatchObject({ 'content-range': part, 'content-length': length })
      }
    })

    test('what lies outside is refused', async () => {
      for (const range of ['bytes=1000-', 'bytes=1a-5']) {
        const { statusCode, headers } = await ask(address, 'GET', range)
        expect([statusCode, headers['content-range']]).toEqual([416, `bytes */${SIZE}`])
        expect(headers['content-disposition']).toBeUndefined()
      }
    })

    test('several parts, another unit and a HEAD are answered as if no part was asked for', async () => {
      for (const range of ['bytes=0-4,10-14', 'lines=0-4']) {
        const answer = await ask(address, 'GET', range)
        expect([answer.statusCode, answer.rawPayload]).toEqual([200, content])
      }
      for (const range of ['bytes=0-4', 'bytes=9000-']) {
        const answer = await ask(address, 'HEAD', range)
        expect([answer.statusCode, answer.rawPayload.length]).toEqual([200, 0])
        expect(answer.headers).toMatchObject({ 'content-length': String(SIZE), 'accept-ranges': 'bytes' })
        expect(answer.headers).not.toHaveProperty('content-range')
      }
    })
  })
})
