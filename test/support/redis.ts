import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { findProgram, programFor } from './programs.ts'

/** A real Redis of one test file, on loopback, that keeps nothing on disk. */
export interface RedisServer {
  url: string
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

/** False if there is no redis-server, and it says so. */
export function redisIsHere(tests: string): boolean {
  return programFor(tests, 'redis-server', 'redis-server') !== undefined
}

export async function startRedis(): Promise<RedisServer> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const killAtExit = () => void child?.kill('SIGKILL')
  process.once('exit', killAtExit)

  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    ask: (command) => ask(port, command),
    async kill() {
      const ending = child
      child = undefined
      if (!ending || ending.exitCode !== null) return
      const gone = new Promise((resolve) => ending.once('exit', resolve))
      ending.kill('SIGKILL')
      await gone
    },
    async start() {
      const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir]
      child = spawn(REDIS!, flags, { stdio: 'ignore' })
      for (const end = Date.now() + 5000; Date.now() < end; await sleep(20))
        if (await ask(port, 'PING').catch(() => '')) return
      throw new Error('redis-server did not start')
    },
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      await server.kill()
      process.off('exit', killAtExit)
      rmSync(dir, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

function ask(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(2000, () => socket.destroy(new Error('Redis does not answer')))
    socket.once('error', reject)
    socket.once('data', (data) => {
      resolve(String(data).trim())
      socket.destroy()
    })
    socket.write(`${command}\r\n`)
  })
}
