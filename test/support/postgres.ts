import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { otherPoolers } from './database.ts'
import { startPgBouncer } from './pgbouncer.ts'

/** A PostgreSQL of one test file, to be maltreated. */
export interface OwnPostgres {
  /** Makes an empty database. @returns its superuser URL */
  createDatabase(): Promise<string>
  /** Shuts it down (`fast` asks the backends to go, `immediate` is a crash); it comes back by itself on the same port. */
  restart(how: 'fast' | 'immediate'): Promise<{ /** performance.now() of the first connection */ backAt: number }>
  /** It still accepts connections, as the kernel does that, and answers nothing. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

const SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export async function startOwnPostgres(options: { durable: boolean }): Promise<OwnPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-faults-'))
  const server = await startEmbedded({ dir, mode: 'exclusive', ...options })
  const pooler = process.env.TEST_PGBOUNCER ? await startPgBouncer(server.url('postgres'), 8) : undefined
  if (pooler) otherPoolers.set(new URL(server.url()).host, pooler.through(server.url()))
  const postmaster = () => Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10)
  let frozen: number[] = []

  function thaw() {
    for (const pid of frozen.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGCONT')
  }
  process.once('exit', thaw)

  let databases = 0

  return {
    async createDatabase() {
      const name = `faults_${++databases}`
      await administer(server.url('postgres'), `create database ${name}`)
      return server.url(name)
    },
    async restart(how) {
      const before = postmaster()
      process.kill(before, SIGNAL[how])
      while (isAlive(before)) await sleep(2)
      while (!(await answers(server.url()))) await sleep(10)
      return { backAt: performance.now() }
    },
    freeze() {
      const pid = postmaster()
      const backends = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
        .split('\n')
        .map(Number)
      frozen = [pid, ...backends.filter(Boolean)]
      for (const each of frozen) if (isAlive(each)) process.kill(each, 'SIGSTOP')
    },
    thaw,
    async stop() {
      thaw()
      process.off('exit', thaw)
      await pooler?.stop()
      await server.stop()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
