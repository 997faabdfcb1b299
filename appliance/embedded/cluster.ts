/**
 * The cluster: the directory in which PostgreSQL keeps its files, and the password beside it. Several processes may
 * start in the same new directory at the same time, and each may be killed at any point: what others see is complete.
 */
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Account,
  accountFor,
  clearLeftovers,
  discard,
  findBinaries,
  plainEnvironment,
  run,
  siblingOf,
} from './binaries.ts'
import { EmbeddedProblem } from './embedded-problem.ts'

export interface EmbeddedOptions {
  /** The cluster lives in `<dir>/postgres`; `postgres.password` and `postgres.log` lie beside it. */
  dir: string
  /** False for tests: faster, but a killed server loses its last second, and a crashed machine loses everything. */
  durable: boolean
  /** `exclusive`: own the directory or throw. `shared`: use the server that runs there, if any, else own it. */
  mode: 'exclusive' | 'shared'
  /** More server settings; they override ours. An adopted server keeps those it was started with. */
  settings?: Record<string, string>
  /** Milliseconds before each attempt to restart a dead server; the last one is repeated for as long as it takes. */
  pauses?: readonly number[]
  log?: (line: string) => void
}

export interface Cluster extends EmbeddedOptions {
  data: string
  native: string
  password: string
  /** It distinguishes the processes of this directory from all others, including those of a copy. */
  name: string
  account: Account | undefined
}

/** Makes the cluster if there is none. Throws an EmbeddedProblem if this user cannot make or use it. */
export async function openCluster(options: EmbeddedOptions): Promise<Cluster> {
  const dir = resolve(options.dir)
  const data = join(dir, 'postgres')
  fs.mkdirSync(dir, { recursive: true })
  clearLeftovers(dir)
  const account = accountFor(data)
  if (fs.existsSync(data)) makePrivate(data, account)
  else requireRoom(dir)
  const native = await findBinaries(dir, account)
  const password = passwordOf(dir, data)
  const cluster = { ...options, dir, data, native, account, password }
  if (!exists(data)) await build(cluster)
  const { dev, ino } = fs.statSync(data)
  return { ...cluster, name: `atrium-${dev}-${ino}` }
}

/**
 * PostgreSQL requires that only its account can access the files; a copied or unpacked directory has often lost that.
 */
function makePrivate(data: string, account: Account | undefined): void {
  const { uid, mode } = fs.statSync(data)
  const owner = account?.uid ?? process.getuid?.() ?? uid
  if (uid !== owner && !account)
    throw new EmbeddedProblem(
      `${data} belongs to another user (uid ${uid}). Start as that user or use another data directory.`,
    )
  if (uid !== owner) giveTo(account, [data, ...contentsOf(data)])
  if (mode & 0o077) fs.chmodSync(data, 0o700)
}

function contentsOf(data: string): string[] {
  return fs.readdirSync(data, { recursive: true, encoding: 'utf8' }).map((name) => join(data, name))
}

function giveTo(account: Account | undefined, paths: string[]): void {
  if (account) for (const path of paths) fs.lchownSync(path, account.uid, account.gid)
}

function exists(data: string): boolean {
  return fs.existsSync(join(data, 'PG_VERSION'))
}

/** Linked into place, not written there: if several processes start together, all read the same, complete password. */
function passwordOf(dir: string, data: string): string {
  const file = join(dir, 'postgres.password')
  if (!fs.existsSync(file)) {
    if (exists(data))
      throw new EmbeddedProblem(`${file} is missing. Put it back, or remove ${data} to begin with an empty database.`)
    const site = siblingOf(file)
    fs.writeFileSync(join(site, 'password'), `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
    unlessExists(() => fs.linkSync(join(site, 'password'), file))
    discard(site)
  }
  return fs.readFileSync(file, 'utf8').trim()
}

/** Built elsewhere and renamed when complete, so that no process sees a half-made cluster. */
async function build(cluster: Omit<Cluster, 'name'>): Promise<void> {
  const site = siblingOf(cluster.data)
  const data = join(site, 'data')
  const password = join(site, 'password')
  cluster.log?.(`PostgreSQL makes a database in ${cluster.dir}, at the first start only.`)
  try {
    fs.mkdirSync(data, { mode: 0o700 })
    fs.writeFileSync(password, cluster.password, { mode: 0o600 })
    giveTo(cluster.account, [site, data, password])
    const as = { ...cluster.account, cwd: data, env: plainEnvironment }
    await run(join(cluster.native, 'bin', 'initdb'), initdbArguments(data, cluster.durable), as).catch(
      explainFailed(cluster.dir),
    )
    unlessExists(() => fs.renameSync(data, cluster.data))
    if (cluster.durable) syncDirectory(cluster.dir)
  } finally {
    discard(site)
  }
}

/** From the output of initdb, only the error is of interest. */
function explainFailed(dir: string) {
  return ({ stderr = '', message }: Error & { stderr?: string }): never => {
    throw new EmbeddedProblem(`The database could not be made in ${dir}.\n${stderr.trim() || message}`)
  }
}

/** The size of a new database, and of a copy of the programs if one is needed, with some room to work in. */
const LEAST_ROOM = 150 * 2 ** 20

function requireRoom(dir: string): void {
  const { bavail, bsize } = fs.statfsSync(dir)
  if (bavail * bsize >= LEAST_ROOM) return
  const [there, needed] = [bavail * bsize, LEAST_ROOM].map((bytes) => `${Math.floor(bytes / 2 ** 20)} MiB`)
  throw new EmbeddedProblem(
    `There is no room for a database in ${dir}: ${there} are free, and it needs ${needed}. Free some space, or choose another directory with DATA_DIR.`,
  )
}

function initdbArguments(data: string, durable: boolean): string[] {
  return [
    ...['-D', pathForServer(data), '-U', 'atrium', '--auth=scram-sha-256', '--pwfile=../password', '-E', 'UTF8'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions'],
    ...(durable ? [] : ['--no-sync']),
  ]
}

function unlessExists(create: () => void): void {
  try {
    create()
  } catch (error) {
    if (!['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(dir, 'r')
  fs.fsyncSync(handle)
  fs.closeSync(handle)
}

/**
 * Programs are started in the data directory and find it through their working directory, because their account may not
 * be able to traverse the directories above, such as a checkout below /root.
 */
export function pathForServer(data: string): string {
  return fs.existsSync('/proc/self/cwd') ? '/proc/self/cwd' : data
}
