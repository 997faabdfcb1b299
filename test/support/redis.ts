import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { endsWithFile } from './clean-up.ts'
import { newFolder } from './folder.ts'
import { PATIENCE_MS } from './patience.ts'
import { isHere } from './plugins.ts'
import { end, findProgram, launch, onFreePort } from './programs.ts'

/** A real Redis of one test file, on loopback, that keeps nothing on disk. */
export interface RedisServer {
  url: string
  /** For who waits for it as long as a test does. A service usually goes on without one that takes longer than 200 ms. */
  patientUrl: string
  /** Sends one command as text; for the little that tests ask Redis directly. */
  ask(command: string): Promise<string>
  kill(): Promise<void>
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

const REDIS = findProgram('redis-server')

/** Whether this machine has one, and the service its plug-in. */
export const redisIsHere = (): boolean => REDIS !== undefined && isHere('redis')

export const startRedis = (): Promise<RedisServer> => onFreePort(startRedisOn)

async function startRedisOn(port: number): Promise<RedisServer> {
  const dir = newFolder()
  let child: ChildProcess | undefined
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    patientUrl: `redis://127.0.0.1:${port}/0?commandTimeout=${PATIENCE_MS}`,
    ask: (command) => ask(port, command),
    async kill() {
      const ending = child
      child = undefined
      if (ending) await end(ending, 'SIGKILL')
    },
    async start() {
      const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir]
      ;({ child } = await launch(REDIS!, flags, () => ask(port, 'PING')))
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    stop: endsWithFile(() => server.kill()),
  }
  await server.start()
  return server
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('Redis does not answer')))
    socket.once('error', reject)
    // After an answer this changes nothing.
    socket.once('close', () => reject(new Error('Redis has closed the connection')))
    socket.once('data', (data) => {
      resolve(String(data).trim())
      socket.destroy()
    })
    socket.write(`${command}\r\n`)
  })
}
