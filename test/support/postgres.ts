import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { endsWithFile } from './clean-up.ts'
import { otherPoolers } from './database.ts'
import { newFolder } from './folder.ts'
import { freezePostgres, isAlive, postmasterOf } from './frozen.ts'
import { until } from './patience.ts'
import { startPgBouncer } from './pgbouncer.ts'

const SIGNAL = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/**
 * A PostgreSQL of one test file, to be maltreated.
 * @param pooled with TEST_PGBOUNCER services reach it through one, which is always the superuser; false where it matters
 * who is
 */
export async function startOwnPostgres({ durable, pooled = true }: { durable: boolean; pooled?: boolean }) {
  const dir = newFolder()
  await makeCluster(dir)
  const server = await startEmbedded({ dir, mode: 'exclusive', durable })
  const pooler = pooled && process.env.TEST_PGBOUNCER ? await startPgBouncer(server.url('postgres'), 8) : undefined
  if (pooler) otherPoolers.set(new URL(server.url()).host, pooler.through(server.url()))
  let frozen: ReturnType<typeof freezePostgres> | undefined
  const thaw = () => frozen?.thaw()

  let databases = 0

  return {
    /** of a superuser */
    url: (database: string) => server.url(database),
    /**
     * Makes an empty database, or a copy of another that nobody is connected to.
     * @param template the URL of that one
     * @returns its superuser URL
     */
    async createDatabase(template?: string) {
      const name = `faults_${++databases}`
      const copied = template ? ` template ${basename(new URL(template).pathname)}` : ''
      await administer(server.url('postgres'), `create database ${name}${copied}`)
      return server.url(name)
    },
    /** Shuts it down (`fast` asks the backends to go, `immediate` is a crash); it comes back by itself on the same port. */
    async restart(how: 'fast' | 'immediate') {
      const before = postmasterOf(dir)
      process.kill(before, SIGNAL[how])
      await until(() => !isAlive(before), 2)
      await until(() => answers(server.url()), 10)
    },
    /** It still accepts connections, as the kernel does that, and answers nothing. */
    freeze() {
      frozen = freezePostgres(dir)
    },
    thaw,
    stop: endsWithFile(async () => {
      thaw()
      if (pooler) await pooler.stop()
      await server.stop()
    }),
  }
}
export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>

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
