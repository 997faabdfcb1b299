import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { linger } from '../../src/http/load/linger.ts'
import { startClosingProxy } from '../support/closing-proxy.ts'
import { cloneDatabase } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { formOf, pngOf } from '../support/form.ts'
import { openLine } from '../support/line.ts'
import { nginxIsHere, startPlainNginx } from '../support/nginx.ts'
import { openRemote } from '../support/remote.ts'
import { startProcess } from '../support/service.ts'
import { headOf } from '../support/uploads.ts'
import { signIn } from '../support/workload.ts'

/** Refusals through each proxy, all of them before their body has arrived; REFUSED_REQUESTS=100 for the full run. */
const REFUSALS = Number(process.env.REFUSED_REQUESTS ?? 20)
const CLIENTS = 4
const MEGABYTE = 1_048_576
const folder = newFolder()

const service = await startProcess({ databaseUrl: await cloneDatabase(), env: { FILE_STORAGE_ROOT: folder } })
const token = (await signIn(service.remote)).person.token

const proxies = [
  ['a proxy that closes each connection', () => startClosingProxy(service.port)] as const,
  ...(nginxIsHere() ? [['nginx with its defaults', () => startPlainNginx(service.port)] as const] : []),
]

test.each(proxies)(`through %s, of ${REFUSALS} refusals each arrives as it was said`, async (_, start) => {
  const proxy = await start()
  const remote = openRemote(proxy.port, CLIENTS)
  const upload = (filename: string, content: Buffer) => formOf([{ filename, content }])
  const large = upload('large.png', pngOf(11 * MEGABYTE))
  const strange = upload('strange.exe', Buffer.alloc(4 * MEGABYTE, 'x'))
  const json = {
    payload: Buffer.from(JSON.stringify({ name: 'x'.repeat(3 * MEGABYTE) })),
    headers: { 'content-type': 'application/json' },
  }
  const kinds = [
    { path: '/files', sent: large, bearer: token, answer: '413 PAYLOAD_TOO_LARGE' },
    { path: '/files', sent: strange, bearer: token, answer: '415 UNSUPPORTED_MEDIA_TYPE' },
    { path: '/files', sent: large, bearer: `${token}stale`, answer: '401 UNAUTHENTICATED' },
    { path: '/projects', sent: json, bearer: token, answer: '413 PAYLOAD_TOO_LARGE' },
  ]
  const expected = Array.from({ length: REFUSALS }, (_, at) => kinds[at % kinds.length]!)
  const queue = [...expected.entries()]
  const answers: string[] = []

  async function client() {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [at, { path, sent, bearer }] = next
      const headers = { ...sent.headers, authorization: `Bearer ${bearer}` }
      answers[at] = await remote.send('POST', path, headers, sent.payload).then(
        ({ status, body }) => `${status} ${body?.error?.type}`,
        (error) => String(error),
      )
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  remote.close()
  await proxy.stop()

  expect(answers).toEqual(expected.map(({ answer }) => answer))
})

/** The head of an upload of which nothing else ever comes. */
const HEAD = headOf('stale', { 'content-type': 'multipart/form-data; boundary=x' }, 10 * MEGABYTE)

test('a refused client is waited for, and not without end', async () => {
  const patience = { bytes: MEGABYTE, ms: 300, lookEveryMs: 50 }
  const server = createServer((request, response) => {
    linger(request, response, patience)
    response.writeHead(401, { connection: 'close' }).end('refused')
  }).listen(0, '127.0.0.1')
  await expect.poll(() => server.listening).toBe(true)
  const line = await openLine((server.address() as AddressInfo).port)
  const start = performance.now()
  line.socket.write(HEAD)

  await line.closed
  expect(performance.now() - start).toBeGreaterThan(patience.ms - patience.lookEveryMs)
  expect(line.received()).toContain('refused')
  server.close()
})
