import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { otherPoolers } from './database.ts'
import { freezePostgres, isAlive, postmasterOf } from './frozen.ts'
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
  let frozen: ReturnType<typeof freezePostgres> | undefined
  const thaw = () => frozen?.thaw()

  let databases = 0

  return {
    async createDatabase() {
      const name = `faults_${++databases}`
      await administer(server.url('postgres'), `create database ${name}`)
      return server.url(name)
    },
    async restart(how) {
      const before = postmasterOf(dir)
      process.kill(before, SIGNAL[how])
      while (isAlive(before)) await sleep(2)
      while (!(await answers(server.url()))) await sleep(10)
      return { backAt: performance.now() }
    },
    freeze() {
      frozen = freezePostgres(dir)
    },
    thaw,
    async stop() {
      thaw()
      await pooler?.stop()
      await server.stop()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    },
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
