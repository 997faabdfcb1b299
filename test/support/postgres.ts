import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { endsWithFile } from './clean-up.ts'
import { otherPoolers } from './database.ts'
import { freezePostgres, isAlive, postmasterOf } from './frozen.ts'
import { until } from './patience.ts'
import { startPgBouncer } from './pgbouncer.ts'

/** A PostgreSQL of one test file, to be maltreated. */
export interface OwnPostgres {
  /** of a superuser */
  url(database: string): string
  /**
   * Makes an empty database, or a copy of another that nobody is connected to.
   * @param template the URL of that one
   * @returns its superuser URL
   */
  createDatabase(template?: string): Promise<string>
  /** Shuts it down (`fast` asks the backends to go, `immediate` is a crash); it comes back by itself on the same port. */
  restart(how: 'fast' | 'immediate'): Promise<void>
  /** It still accepts connections, as the kernel does that, and answers nothing. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

const SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

export interface OwnPostgresOptions {
  durable: boolean
  /** With TEST_PGBOUNCER services reach it through one, which is always the superuser; false where it matters who is. */
  pooled?: boolean
}

export async function startOwnPostgres({ durable, pooled = true }: OwnPostgresOptions): Promise<OwnPostgres> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-faults-'))
  await makeCluster(dir)
  const server = await startEmbedded({ dir, mode: 'exclusive', durable })
  const pooler = pooled && process.env.TEST_PGBOUNCER ? await startPgBouncer(server.url('postgres'), 8) : undefined
  if (pooler) otherPoolers.set(new URL(server.url()).host, pooler.through(server.url()))
  let frozen: ReturnType<typeof freezePostgres> | undefined
  const thaw = () => frozen?.thaw()

  let databases = 0

  return {
    url: (database) => server.url(database),
    async createDatabase(template) {
      const name = `faults_${++databases}`
      const copied = template ? ` template ${basename(new URL(template).pathname)}` : ''
      await administer(server.url('postgres'), `create database ${name}${copied}`)
      return server.url(name)
    },
    async restart(how) {
      const before = postmasterOf(dir)
      process.kill(before, SIGNAL[how])
      await until(() => !isAlive(before), 2)
      await until(() => answers(server.url()), 10)
    },
    freeze() {
      frozen = freezePostgres(dir)
    },
    thaw,
    stop: endsWithFile(async () => {
      thaw()
      if (pooler) await pooler.stop()
      await server.stop()
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
    }),
  }
}

/** Puts a new cluster into a folder, as the first start makes it: a copy, for to make one takes as long as many tests. */
export async function makeCluster(dir: string): Promise<void> {
  const model = join(tmpdir(), 'atrium-cluster')
  if (!existsSync(model)) {
    const draft = mkdtempSync(`${model}-`)
    await (await startEmbedded({ dir: draft, durable: false, mode: 'exclusive' })).stop()
    try {
      renameSync(draft, model)
    } catch {
      // Somebody else has made one meanwhile.
      rmSync(draft, { recursive: true, force: true })
    }
  }
  mkdirSync(dir, { recursive: true })
  execFileSync('cp', ['-Rp', `${model}/.`, dir])
}

export function answers(url: string): Promise<boolean> {
  return administer(url, 'select').then(
    () => true,
    () => false,
  )
}
