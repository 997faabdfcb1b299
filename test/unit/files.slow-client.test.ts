import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Spooled } from '../../src/domains/files/storage/spool.ts'
import { watchSlowClient } from '../../src/domains/files/uploads/slow-client.ts'
import { receiveUpload } from '../../src/domains/files/uploads/upload.ts'

const slowest = { bytes: 10, withinMs: 60, lookEveryMs: 10 }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the connection of an upload', () => {
  test('is cut when next to nothing comes', () => {
    const request = givenRequest()
    watchSlowClient(request, 1000, slowest)
    for (let at = 0; at < 20 && !request.destroyed; at++) {
      request.socket.bytesRead++
      vi.advanceTimersByTime(20)
    }
    expect(request.destroyed).toBe(true)
  })

  test('stays while enough comes, however long it takes', () => {
    const request = givenRequest()
    watchSlowClient(request, 10_000, slowest)
    for (let at = 0; at < 10; at++) {
      request.socket.bytesRead += 50
      vi.advanceTimersByTime(20)
    }
    expect(request.destroyed).toBe(false)
  })

  test('is cut when far more comes than was asked for', () => {
    const request = givenRequest()
    watchSlowClient(request, 100, slowest)
    request.socket.bytesRead += 101
    vi.advanceTimersByTime(40)
    expect(request.destroyed).toBe(true)
  })

  test('takes a lot more after a refusal, so that the client comes to read the answer, but not without end', async () => {
    const request = givenRequest()
    const watch = watchSlowClient(request, 100, slowest)
    watch.refuse()
    for (let sent = 0; sent < 67; sent++) await send(request, 1_000_000)
    expect(request.destroyed).toBe(false)
    await send(request, 1_000_000)
    expect(request.destroyed).toBe(true)
  })

  test('is left alone once everything is here', async () => {
    const request = givenRequest()
    watchSlowClient(request, 100, slowest)
    request.resume().end('x')
    await once(request, 'end')
    vi.advanceTimersByTime(150)
    expect(request.destroyed).toBe(false)
  })
})

describe('the client of an upload that is refused is not cut off', () => {
  test('while the disk is waited for', async () => {
    const raw = givenRequest()
    await expectRefusal(raw, Readable.from([Buffer.alloc(2000)]), { discard: async () => sendALot(raw) })
  })

  test('while the disk is slow: beyond the limit the parser takes what comes without waiting for it', async () => {
    const raw = givenRequest()
    const file = Readable.from([Buffer.alloc(1000, 'a'), Buffer.alloc(1, 'a')])
    async function write() {
      file.emit('limit')
      sendALot(raw)
    }
    await expectRefusal(raw, file, { write })
  })
})

async function expectRefusal(raw: ReturnType<typeof givenRequest>, file: Readable, disk: Partial<Spooled>) {
  const request = {
    ...{ raw, headers: {}, isMultipart: () => true },
    parts: async function* () {
      yield { type: 'file', fieldname: 'file', filename: 'a.txt', file }
    },
  }
  const nothing = async () => undefined
  const spooled = { path: '', write: nothing, readType: nothing, finish: nothing, discard: nothing, ...disk }
  const spool = { open: async () => spooled, removeAbandoned: async () => 0 }
  const upload = receiveUpload(request as never, { spool, tenantId: 1, maxSize: 1000 }, async () => {})
  await expect(upload).rejects.toMatchObject({ status: 413 })
  expect(raw.destroyed).toBe(false)
}

function sendALot(request: ReturnType<typeof givenRequest>) {
  request.socket.bytesRead += 10_000_000
  vi.advanceTimersByTime(1000)
}

function givenRequest() {
  return Object.assign(new PassThrough({ autoDestroy: false }), { socket: { bytesRead: 7 } })
}

async function send(request: ReturnType<typeof givenRequest>, bytes: number) {
  request.socket.bytesRead += bytes
  request.write(Buffer.alloc(bytes))
  await new Promise(setImmediate)
}
