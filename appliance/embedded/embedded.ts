/**
 * The PostgreSQL that runs if no DATABASE_URL is given: from npm packages, in its own directory, listening on 127.0.0.1
 * only. Whatever was killed, the next start needs no cleaning up.
 *
 * - A session advisory lock decides which process may use the directory: it is race-free and dies with its process.
 * - The server is detached from our process group. On Ctrl-C the terminal would otherwise signal it too, and cut off
 *   requests that we still want to answer. A SIGKILL to the group then leaves it running, and the next start adopts it.
 *   That must work anyway, for a SIGKILL to our process alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { isAlive } from './binaries.ts'
import { type Cluster, type EmbeddedOptions, openCluster } from './cluster.ts'
import { EmbeddedProblem } from './embedded-problem.ts'
import { findPostmaster, freePort, interrupt, launch, type Postmaster, stopPostmaster } from './postmaster.ts'

export interface EmbeddedServer {
  /** Superuser URL of the given database, by default `atrium`; it remains valid after a restart of the server. */
  url(database?: string): string
  /** True when a server left behind by a killed process was taken over. */
  adopted: boolean
  /**
   * Fast shutdown, immediate after 10 s; resolves when the server is gone. Leaves alone a server that another process
   * owns.
   */
  stop(): Promise<void>
}

/** Another living process owns the directory. The message is fit for a terminal. */
export class DirectoryInUse extends EmbeddedProblem {
  override name = 'DirectoryInUse'
  constructor(dir: string, pid: number) {
    super(
      `${dir} is in use by process ${pid}. Stop that process first, or choose another directory: DATA_DIR=.data-two npm start`,
    )
  }
}

/**
 * Starts or finds the server of a directory, makes the cluster and the database `atrium` if absent, and restarts the
 * server if it dies. A process that ends without `stop` stops the server too, unless it was killed. Throws
 * DirectoryInUse, or an EmbeddedProblem that ends with the last lines of PostgreSQL's log.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const cluster = await openCluster(options)
  const hold = await seize(cluster)
  const base = `postgresql://atrium:${cluster.password}@127.0.0.1:${hold.port}`
  const url = (database = 'atrium') => `${base}/${encodeURIComponent(database)}`
  if (!isOwned(hold)) return { url, adopted: false, stop: async () => {} }
  return { url, adopted: !hold.launched, stop: supervise(cluster, hold) }
}

interface Hold extends Postmaster {
  launched: boolean
  /** The connection whose session holds the lock; absent if another process owns the server. */
  owner?: Client
}

type Owned = Hold & { owner: Client }

const isOwned = (hold: Hold): hold is Owned => hold.owner !== undefined

const usualPauses = [100, 300, 1000, 3000, 10_000]
const ownership = 0x6174_7269

/**
 * Finds or launches the server and takes the lock. A `port` is given if clients know it already; `patience`, in
 * milliseconds, is for temporary conditions: a server that is stopping, a taken port, memory not yet released.
 */
async function seize(cluster: Cluster, port?: number, patience = 30_000): Promise<Hold> {
  let deadline = Date.now() + patience
  let launched: Postmaster | undefined
  for (;;) {
    const running = findPostmaster(cluster)
    if (!running) {
      launched = await launch(cluster, port ?? (await freePort()), deadline)
      // Its crash recovery may have outlasted the patience.
      deadline = Date.now() + patience
    }
    const server = running ?? launched
    const hold = server && (await claim(cluster, server, server.pid === launched?.pid, deadline))
    if (hold) return hold
    await sleep(50)
  }
}

/** Takes the lock or finds out who has it. Undefined if the server is not ready for us, or no longer. */
async function claim(cluster: Cluster, server: Postmaster, launched: boolean, deadline: number) {
  const client = ownerClient(cluster, server.port)
  try {
    await client.connect()
    const holder = await lock(client, deadline)
    if (holder && cluster.mode === 'exclusive') throw new DirectoryInUse(cluster.dir, holder)
    await createDatabase(client)
    if (holder) {
      await client.end()
      return { ...server, launched: false }
    }
    // Neither the lock nor the server keeps the process alive.
    ;(client as Client & { unref?(): void }).unref?.()
    return { ...server, launched, owner: client }
  } catch (error) {
    client.end().catch(() => {})
    if (isPassing(error) && Date.now() < deadline) return undefined
    if (launched && !(error instanceof DirectoryInUse)) interrupt(cluster, server)
    throw error
  }
}

function ownerClient(cluster: Cluster, port: number): Client {
  const login = { user: 'atrium', password: cluster.password, database: 'postgres', ssl: false }
  const name = { application_name: `atrium-owner-${process.pid}`, keepAlive: true }
  const client = new Client({ host: '127.0.0.1', port, ...login, ...name, connectionTimeoutMillis: 10_000 })
  // 'end' follows and is handled; without a listener, 'error' would end the process.
  return client.on('error', () => {})
}

/** The pid of the living process that has the lock, or undefined if it is ours now. Waits for a dying holder. */
async function lock(client: Client, deadline: number): Promise<number | undefined> {
  while (Date.now() < deadline) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${ownership}) as ours`)
    if (rows[0].ours) return undefined
    const holder = await holderOf(client)
    if (holder && isAlive(holder)) return holder
    await sleep(20)
  }
  throw new EmbeddedProblem('An unknown session holds the lock of the embedded PostgreSQL.')
}

async function holderOf(client: Client): Promise<number> {
  const { rows } = await client.query(
    `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.objid = ${ownership} and a.datname = current_database()`,
  )
  return Number(rows[0]?.name.replace('atrium-owner-', ''))
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = 'atrium'")
  if (rowCount) return
  await client.query('create database atrium').catch((error) => {
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

/** True for a refused or lost connection, and a server that is starting or stopping. All others carry an SQLSTATE. */
function isPassing(error: unknown): boolean {
  const { code } = error as { code?: string }
  return !(error instanceof DirectoryInUse) && (code === undefined || /^(57|08|53300|E[A-Z])/.test(code))
}

/** Restarts the server if it dies, until the returned function is called, which stops it. */
function supervise(cluster: Cluster, first: Owned): () => Promise<void> {
  const ending = new AbortController()
  const { log = () => {}, pauses = usualPauses } = cluster
  let hold = first
  let recovery = Promise.resolve()
  let stopped: Promise<void> | undefined

  const watch = () => hold.owner.once('end', () => (recovery = recover()))
  const recover = async () => {
    if (!ending.signal.aborted) log('The embedded PostgreSQL ended; restarting it.')
    let complaint = ''
    for (let attempt = 0; ; attempt++) {
      await sleep(pauses[attempt] ?? pauses.at(-1)!, undefined, { signal: ending.signal }).catch(() => {})
      if (ending.signal.aborted) return
      const found = await seize({ ...cluster, mode: 'exclusive' }, hold.port, 5000).catch((error: Error) => {
        const said = error.message.replace(/\d/g, '')
        if (said !== complaint) log(error.message)
        complaint = said
      })
      if (!found || !isOwned(found)) continue
      hold = found
      watch()
      return log('The embedded PostgreSQL is running again.')
    }
  }

  const interruptAtExit = () => interrupt(cluster, hold)
  const stop = async () => {
    ending.abort()
    await recovery
    await stopPostmaster(cluster, hold)
    process.off('exit', interruptAtExit)
  }

  watch()
  process.once('exit', interruptAtExit)
  return () => (stopped ??= stop())
}
