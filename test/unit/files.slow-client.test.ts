import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchSlowClient } from '../../src/domains/files/uploads/slow-client.ts'

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

function givenRequest() {
  return Object.assign(new PassThrough({ autoDestroy: false }), { socket: { bytesRead: 7 } })
}

async function send(request: ReturnType<typeof givenRequest>, bytes: number) {
  request.socket.bytesRead += bytes
  request.write(Buffer.alloc(bytes))
  await new Promise(setImmediate)
}
