import type { ChildProcess } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endsWithFile } from './clean-up.ts'
import { newFolder } from './folder.ts'
import { end, findProgram, launch, listens, onFreePort } from './programs.ts'

const OURS = new URL('../../deploy/pgbouncer.ini', import.meta.url)
const PGBOUNCER = findProgram('pgbouncer')

/** Whether this machine has one. */
export const pgbouncerIsHere = (): boolean => PGBOUNCER !== undefined

/**
 * A real PgBouncer, with the settings of `deploy/pgbouncer.ini`, in front of a server, for all its databases.
 * @param serverUrl of any database of the server, as the user that it then always signs in as
 * @param serverConnections the most that it opens to one database
 */
export const startPgBouncer = (serverUrl: string, serverConnections: number) =>
  onFreePort((port) => startPgBouncerOn(port, serverUrl, serverConnections))

async function startPgBouncerOn(port: number, serverUrl: string, serverConnections: number) {
  const dir = newFolder()
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const settings: Record<string, string | number> = {
    '*': `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`,
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    auth_file: '',
    default_pool_size: serverConnections,
    // Each test file has a database of its own, and leaves it behind.
    log_stats: 0,
    // One test asks for other ways of planning in its URL; through here it runs with the usual ones.
    ignore_startup_parameters: 'options',
    server_idle_timeout: 5,
    autodb_idle_timeout: 5,
  }
  writeFileSync(join(dir, 'pgbouncer.ini'), withSettings(readFileSync(OURS, 'utf8'), settings))
  chmodSync(dir, 0o755)
  // It refuses to run as root.
  const identity = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  let child: ChildProcess

  async function start() {
    const flags = [...identity, join(dir, 'pgbouncer.ini')]
    ;({ child } = await launch(PGBOUNCER!, flags, () => listens(port)))
  }

  await start()
  return {
    /** The URL through it of a database whose own URL is given. */
    through: (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    /** Ends it immediately, with every connection, and starts it again on the same port. */
    async restart() {
      await end(child)
      await start()
    },
    stop: endsWithFile(() => end(child)),
  }
}
export type PgBouncer = Awaited<ReturnType<typeof startPgBouncerOn>>

/** The file with these settings instead of its own; those that it lacks come last. */
function withSettings(file: string, settings: Record<string, string | number>): string {
  let text = file
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name} = ${value}`
    const own = new RegExp(`^${RegExp.escape(name)} =.*$`, 'm')
    text = own.test(text) ? text.replace(own, () => line) : `${text}${line}\n`
  }
  return text
}
