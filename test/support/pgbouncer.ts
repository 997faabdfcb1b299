import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/data/embedded-postmaster.ts'

/** A real PgBouncer in transaction mode in front of a server, for all its databases. */
export interface PgBouncer {
  /** The URL through it of a database whose own URL is given. */
  through(url: string): string
  stop(): Promise<void>
}

const found = spawnSync('pgbouncer', ['--version']).status === 0

/** False where there is no pgbouncer; it says so, because a test that is skipped in silence proves nothing. */
export function pgbouncerIsHere(tests: string): boolean {
  if (!found) console.warn(`SKIPPED: ${tests}: pgbouncer is not installed (apt-get install pgbouncer)`)
  return found
}

/**
 * @param serverUrl of any database of the server, as the user that it then always signs in as
 * @param serverConnections the most that it opens to one database
 */
export async function startPgBouncer(serverUrl: string, serverConnections: number): Promise<PgBouncer> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const settings = `
[databases]
* = host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = ${serverConnections}
server_idle_timeout = 5
autodb_idle_timeout = 5
log_connections = 0
log_disconnections = 0
log_stats = 0
`
  writeFileSync(join(dir, 'pgbouncer.ini'), settings)
  chmodSync(dir, 0o755)
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...identity, join(dir, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (text) => (complaints += text))
  const killAtExit = () => void child.kill('SIGKILL')
  process.once('exit', killAtExit)
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`pgbouncer did not start:\n${complaints}`)
    await sleep(20)
  }
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    async stop() {
      await end(child)
      process.off('exit', killAtExit)
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  // SIGINT would wait for the clients to go.
  child.kill('SIGTERM')
  await gone
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
