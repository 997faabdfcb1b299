import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import pg from 'pg'
import { type EmbeddedServer, startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { endsWithFile } from './clean-up.ts'
import { newFolder } from './folder.ts'
import { freezePostgres } from './frozen.ts'
import { PATIENCE_MS, until } from './patience.ts'

/** A PostgreSQL and a streaming replica of it, both of one test file. */
export interface Standby {
  /** superuser URLs of the same database, here and there */
  primaryUrl: string
  replicaUrl: string
  /** What comes is kept, and not shown, until it goes on. */
  pause(): Promise<void>
  goOn(): Promise<void>
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  /** No commit is answered from now on before the replica shows it. */
  synchronize(): Promise<void>
  /** The replica takes changes from now on, whatever the primary does. */
  promote(): Promise<void>
  /** The primary answers nothing any more, and its connections stay. */
  freezePrimary(): void
  stopPrimary(): Promise<void>
  /** The primary comes back on its port as a standby that follows nobody. */
  startPrimaryAsStandby(): Promise<void>
  /** What was promoted is the primary from now on, with a new replica, and the old primary is removed. */
  succeed(): Promise<void>
  stop(): Promise<void>
}

/** A replica is made as `pg_basebackup` makes one, which the embedded PostgreSQL does not bring: by a copy of the files. */
export async function startStandby(): Promise<Standby> {
  const place = newFolder()
  let made = 0
  const nextFolder = () => join(place, `server-${++made}`)
  const start = (dir: string, settings: Record<string, string>) =>
    startEmbedded({ dir, durable: false, mode: 'exclusive', settings })
  let [here, there] = [nextFolder(), nextFolder()]
  let primary: EmbeddedServer | undefined = await start(here, DURABLE_THERE)
  let replica: EmbeddedServer | undefined
  let frozen: ReturnType<typeof freezePostgres> | undefined
  const change = async (url: string, ...statements: string[]) => {
    for (const statement of statements) await administer(url, statement)
  }
  const tell = (statement: string) => administer(replica!.url('postgres'), statement)

  const standby: Standby = {
    primaryUrl: primary.url(),
    replicaUrl: '',
    async pause() {
      await tell('select pg_wal_replay_pause()')
      await until(async () => (await tell('select pg_get_wal_replay_pause_state() as state'))[0].state === 'paused')
    },
    goOn: async () => void (await tell('select pg_wal_replay_resume()')),
    async stopReplica() {
      await replica?.stop()
      replica = undefined
    },
    async startReplica() {
      // A port of before, so that who looks for it finds it again.
      const port = standby.replicaUrl && new URL(standby.replicaUrl).port
      replica = await start(there, { ...DURABLE_THERE, ...(port && { port }) })
      standby.replicaUrl = port ? standby.replicaUrl : replica.url()
    },
    synchronize: () =>
      change(
        standby.primaryUrl,
        `alter system set synchronous_standby_names = '*'`,
        'select pg_reload_conf()',
        // Answered when the replica follows.
        'create table synchronized ()',
        'drop table synchronized',
      ),
    async promote() {
      const [{ done }] = await tell(`select pg_promote(true, ${Math.ceil(PATIENCE_MS / 1000)}) as done`)
      if (!done) throw new Error('the replica was not promoted')
      await change(replica!.url('postgres'), 'alter system reset synchronous_standby_names', 'select pg_reload_conf()')
    },
    freezePrimary() {
      frozen = freezePostgres(here)
    },
    async stopPrimary() {
      frozen?.thaw()
      await primary?.stop()
      primary = undefined
    },
    async startPrimaryAsStandby() {
      writeFileSync(join(here, 'postgres', 'standby.signal'), '')
      primary = await start(here, { port: new URL(standby.primaryUrl).port })
    },
    async succeed() {
      await standby.stopPrimary()
      rmSync(here, { recursive: true, force: true, maxRetries: 5 })
      ;[here, there] = [there, nextFolder()]
      ;[primary, replica] = [replica, undefined]
      Object.assign(standby, { primaryUrl: standby.replicaUrl, replicaUrl: '' })
      await follow()
    },
    stop: endsWithFile(async () => {
      await standby.stopReplica()
      await standby.stopPrimary()
    }),
  }
  async function follow() {
    await copyWhileRunning(primary!.url('postgres'), here, there)
    await standby.startReplica()
  }
  await follow()
  return standby
}

/** A commit is worth something for the test of a failover when the replica has it. */
const DURABLE_THERE = { synchronous_commit: 'remote_apply' }

/** Copies a running server's files, and makes the copy follow it (PostgreSQL 18 manual, 25.3.4). */
async function copyWhileRunning(url: string, here: string, there: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`select pg_backup_start('standby', true)`)
  // What comes and goes while it runs is of no use to the copy.
  const left = /^(postmaster\.pid|postgres\.log|pg_internal\.init\.\d+|xlogtemp\.\d+|pgsql_tmp.*)$/
  cpSync(here, there, { recursive: true, filter: (path) => !left.test(basename(path)) })
  const { rows } = await client.query('select labelfile from pg_backup_stop()')
  writeFileSync(join(there, 'postgres', 'backup_label'), rows[0].labelfile)
  await client.end()
  writeFileSync(join(there, 'postgres', 'standby.signal'), '')
  const { hostname, port, username, password } = new URL(url)
  const source = `host=${hostname} port=${port} user=${username} password=${password}`
  appendFileSync(join(there, 'postgres', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
}
