import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PATIENCE_MS } from '#test/patience.ts'
import { type Connections, openConnections } from '../../sending/connections.ts'
import { post } from '../../sending/send.ts'

let receiver: Server
let connections: Connections
/** the connection of each request that arrived */
let used: Socket[]
let answer: (req: IncomingMessage, res: ServerResponse) => void
beforeEach(async () => {
  // A connection is kept within a minute of the clock, and for four seconds that it is idle.
  vi.useFakeTimers({ toFake: ['Date'], now: 0 })
  vi.spyOn(Socket.prototype, 'setTimeout').mockReturnThis()
  used = []
  answer = (_, res) => res.end('ok')
  connections = openConnections()
  receiver = createServer({ keepAliveTimeout: PATIENCE_MS }, (req, res) => {
    used.push(req.socket)
    req.resume().once('end', () => answer(req, res))
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  connections.close()
  receiver.closeAllConnections()
  await once(receiver.close(), 'close')
})

const send = (webhook: string) => {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const signal = AbortSignal.timeout(PATIENCE_MS)
  return post({ connections, webhook, url, headers: {}, body: '{}', anywhere: true, signal })
}
const distinct = () => new Set(used).size

test('a webhook keeps its connection, and shares it with no other', async () => {
  for (const webhook of ['1/1', '1/1', '1/2', '2/1', '1/1'])
    expect(await send(webhook)).toEqual({ status: 200, body: 'ok' })
  expect(distinct()).toBe(3)
  expect(used[0]).toBe(used[4])
})

test('a connection is not kept for longer than a minute', async () => {
  await send('1/1')
  vi.setSystemTime(59_999)
  await send('1/1')
  expect(distinct()).toBe(1)
  vi.setSystemTime(60_000)
  await send('1/1')
  expect(distinct()).toBe(2)
})

test('a kept connection that the receiver closes is replaced once', async () => {
  await send('1/1')
  answer = (req, res) => (req.socket === used[0] ? req.socket.destroy() : res.end('again'))
  expect(await send('1/1')).toEqual({ status: 200, body: 'again' })
  expect(used).toHaveLength(3)
})

test('a receiver that closes each connection has not answered', async () => {
  await send('1/1')
  answer = (req) => req.socket.destroy()
  for (const requests of [3, 4]) {
    await expect(send('1/1')).rejects.toThrow('socket hang up')
    expect(used).toHaveLength(requests)
  }
})

test('an answer whose body breaks off on a kept connection is an answer: nothing is sent again', async () => {
  await send('1/1')
  answer = (req, res) => {
    res.writeHead(202).flushHeaders()
    req.socket.write('this is no chunk\r\n')
  }
  expect(await send('1/1')).toEqual({ status: 202, body: '' })

  answer = (_, res) => res.end('ok')
  await send('1/1')
  expect(used).toHaveLength(3)
})
