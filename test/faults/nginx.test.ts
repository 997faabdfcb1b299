import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { endsWithFile } from '../support/clean-up.ts'
import { type Nginx, nginxIsHere, startNginx } from '../support/nginx.ts'

const here = nginxIsHere()

describe.skipIf(!here)('nginx with our configuration', () => {
  test('starts with one replica missing, finds it, and misses none that was away', async () => {
    const port = await freePort()
    const one = await givenReplica('127.0.0.2', port)
    const nginx = await startNginx([`127.0.0.2:${port}`, `127.0.0.3:${port}`])

    expect(await answersOf(nginx)).toEqual(['127.0.0.2'])

    await givenReplica('127.0.0.3', port)
    await expect.poll(() => answersOf(nginx)).toEqual(['127.0.0.2', '127.0.0.3'])

    one.closeAllConnections()
    one.close()
    await expect.poll(() => answersOf(nginx)).toEqual(['127.0.0.3'])
    await givenReplica('127.0.0.2', port)
    await expect.poll(() => answersOf(nginx)).toEqual(['127.0.0.2', '127.0.0.3'])
  })
})

const READS = ['GET', 'HEAD', 'OPTIONS']
const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE']
const PATHS = ['/api/v1/projects', '/api/v1/files']

/** Processes that answer nothing, and whether nginx can know that nothing of a request has reached them. */
const LOST: Record<string, { start: () => Promise<number>; isUntouched?: true }> = {
  'refuses connections': { start: freePort, isUntouched: true },
  'takes no connections': { start: givenFullQueue, isUntouched: true },
  'resets the connection when it has read the request': { start: () => givenSocket(reset, 'request') },
  'never answers': { start: () => givenSocket(() => {}) },
  'answers with a header that is none': {
    start: () => givenSocket((it) => void it.end('HTTP/1.1 201 Created\r\n\0\r\n\r\n'), 'request'),
  },
  'breaks off in the header of its answer': {
    start: () => givenSocket((it) => void it.write('HTTP/1.1 201 Cre', () => reset(it)), 'request'),
  },
}

describe.skipIf(!here)('when each process', () => {
  for (const [state, { start, isUntouched }] of Object.entries(LOST))
    test(`${state}, only what cannot have happened is said not to have happened`, async () => {
      const nginx = await givenNginx([await start(), await start()], '1s')

      const asked = PATHS.flatMap((path) => [...READS, ...CHANGES].map((method) => ({ method, path })))
      await Promise.all(
        asked.map(async ({ method, path }) => {
          const answer = isUntouched || READS.includes(method) ? UNAVAILABLE : UNKNOWN
          expect(await ask(nginx, method, path), `${method} ${path}`).toEqual(answer)
        }),
      )
    })

  test('has failed a moment ago, nothing is sent, and that is said', async () => {
    const nginx = await startNginx([await freePort(), await freePort()])
    await ask(nginx, 'GET', '/api/v1/projects')

    for (const method of [...READS, ...CHANGES])
      expect(await ask(nginx, method, '/api/v1/projects'), method).toEqual(UNAVAILABLE)
  })

  test('breaks off in the body of its answer, the client sees that it is not whole', async () => {
    const half = 'HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\n{"code":'
    const port = await givenSocket((socket) => void socket.write(half, () => reset(socket)), 'request')
    const nginx = await givenNginx([port, port])

    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      await expect(ask(nginx, method, '/api/v1/projects'), method).rejects.toThrow()
  })
})

describe.skipIf(!here)('when one process', () => {
  test('refuses connections and the other loses what it has read, no change is sent twice or said not to have happened', async () => {
    let taken = 0
    const loses = await givenSocket((socket) => {
      taken++
      reset(socket)
    }, 'request')
    const nginx = await givenNginx([await freePort(), loses])

    for (const method of CHANGES)
      for (let time = 0; time < 6; time++) {
        taken = 0
        const { type } = await ask(nginx, method, '/api/v1/projects')
        expect({ taken, type }).toEqual(
          taken === 0 ? { taken: 0, type: 'UNAVAILABLE' } : { taken: 1, type: 'OUTCOME_UNKNOWN' },
        )
      }
  })

  test('loses what it has read, a read is answered by the other', async () => {
    const port = await freePort()
    await givenReplica('127.0.0.2', port)
    const nginx = await givenNginx([await givenSocket(reset, 'request'), `127.0.0.2:${port}`])

    for (let time = 0; time < 6; time++)
      expect(await ask(nginx, 'GET', '/api/v1/projects')).toMatchObject({ status: 200 })
  })
})

const UNAVAILABLE = { status: 503, type: 'UNAVAILABLE', retryAfter: '1' }
const UNKNOWN = { status: 503, type: 'OUTCOME_UNKNOWN', retryAfter: null }

/** The answer of a client; of HEAD, which has no body, the header says the type. */
async function ask({ port }: Nginx, method: string, path: string) {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{"title":"x"}' : null
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body })
  const retryAfter = answer.headers.get('retry-after')
  const text = await answer.text()
  if (method === 'HEAD') return { status: answer.status, type: 'UNAVAILABLE', retryAfter }
  if (answer.status === 200) return { status: 200, type: undefined, retryAfter }
  const { code, error, requestId } = JSON.parse(text)
  expect({ code, requestId }).toEqual({ code: answer.status, requestId: answer.headers.get('x-request-id') })
  return { status: answer.status, type: error.type, retryAfter }
}

const reset = (socket: Socket) => void socket.resetAndDestroy()

/** A process that does the same to each connection: when it comes, or when it has sent a request. */
async function givenSocket(act: (socket: Socket) => void, when: 'connection' | 'request' = 'connection') {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    if (when === 'connection') act(socket)
    else {
      let read = ''
      socket.on('data', (chunk) => {
        read += chunk
        const [head, body = ''] = read.split('\r\n\r\n')
        if (body.length > 0 || (read.endsWith('\r\n\r\n') && !/content-length/i.test(head!))) act(socket)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endsWithFile(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

/** A process that is frozen, and whose queue of connections is full: the kernel answers no more. */
async function givenFullQueue(): Promise<number> {
  const port = await freePort()
  const listen = `require('node:net').createServer().listen(${port}, '127.0.0.1', 1, () => console.log('listens'))`
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGSTOP')
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  // The kernel takes one more than the number says.
  await expect.poll(() => waiting.filter(({ connecting }) => !connecting).length).toBe(2)
  endsWithFile(() => {
    for (const socket of waiting) socket.destroy()
    child.kill('SIGKILL')
  })
  return port
}

/** Which replicas answer, of twenty requests. */
async function answersOf({ port }: Nginx): Promise<string[]> {
  const asked = Array.from({ length: 20 }, async () => (await fetch(`http://127.0.0.1:${port}/livez`)).text())
  return [...new Set(await Promise.all(asked))].sort()
}

/** A replica that answers with its address. */
async function givenReplica(address: string, port: number): Promise<Server> {
  const replica = createServer((_req, res) => res.end(address))
  await new Promise<void>((resolve) => replica.listen(port, address, resolve))
  endsWithFile(() => {
    replica.closeAllConnections()
    replica.close()
  })
  return replica
}

/** One that leaves no process alone when it has failed. */
const givenNginx = (upstreams: Parameters<typeof startNginx>[0], patience = '30s') =>
  startNginx(upstreams, (file) =>
    file
      .replaceAll('max_fails=1', 'max_fails=0')
      .replaceAll(/proxy_read_timeout \d+s/g, `proxy_read_timeout ${patience}`),
  )
