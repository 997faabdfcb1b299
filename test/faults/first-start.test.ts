import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { pingRedis } from '../../src/data/redis/coordination.ts'
import { startThrowawayServer } from '../../tools/throwaway.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, createDatabase } from '../support/database.ts'
import { mountAt, tryToMount } from '../support/disk.ts'
import { until } from '../support/patience.ts'
import { makeCluster } from '../support/postgres.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const cleanups: (() => unknown)[] = []

let databaseUrl: string
beforeAll(async () => {
  databaseUrl = await cloneDatabase()
})
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp()
})

const asInProduction = {
  NODE_ENV: 'production',
  ADMIN_PASSWORD: 'correct horse battery',
  CORS_ORIGINS: 'https://app.example.com',
}

function givenFolder(name = 'here'): string {
  const parent = mkdtempSync(join(tmpdir(), 'atrium-start-'))
  cleanups.push(() => rmSync(parent, { recursive: true, force: true }))
  mkdirSync(join(parent, name))
  return join(parent, name)
}

/** What `node start.js` says when it does not start. */
async function sayingOf(env: Record<string, string>, cwd = givenFolder()): Promise<string> {
  const failing = startProcess({ databaseUrl, env, cwd }).then(async (service) => {
    await service.end('SIGKILL')
    return 'it started'
  })
  const { message } = await failing.then(
    (said) => new Error(said),
    (error: Error) => error,
  )
  return message.replace('The service did not become ready:\n', '')
}

describe('what is in the way of a start is reported in a sentence', () => {
  test('a port that is taken, before a database is made', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const { port } = squatter.address() as { port: number }
    cleanups.push(() => squatter.close())
    const dir = join(givenFolder(), 'data')

    // The squatter answers nobody, so that nobody takes it for the service.
    expect(await sayingOf({ PORT: String(port), DATABASE_URL: '', DATA_DIR: dir })).toBe(
      `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    )
    expect(existsSync(join(dir, 'postgres'))).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('a data directory that cannot be made', async () => {
    for (const JWT_SECRET of ['', 'a-secret-of-the-tests-that-nobody-else-has'])
      expect(await sayingOf({ DATABASE_URL: '', DATA_DIR: '/proc/atrium', JWT_SECRET })).toBe(
        '/proc/atrium cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.\n',
      )
    expect(await sayingOf({ FILE_STORAGE_ROOT: '/proc/files' })).toBe(
      '/proc/files cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.\n',
    )
    const files = { DATABASE_URL: databaseUrl, FILE_STORAGE_ROOT: '/proc/files' }
    expect((await atriumHere('doctor', { env: files })).out).toMatch(/^FAIL {2}files .*ENOENT.*\n +→ make the folder/m)
    expect(await atriumHere('migrate up', { env: { DATA_DIR: '/proc/atrium/below' } })).toMatchObject({
      code: 1,
      err: '/proc/atrium cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.\n',
    })
  })

  test('a data directory that another process has', async () => {
    const dir = givenFolder()
    await makeCluster(dir)
    const owner = await startEmbedded({ dir, durable: false, mode: 'exclusive' })
    cleanups.push(() => owner.stop())

    expect(await sayingOf({ DATABASE_URL: '', DATA_DIR: dir })).toBe(
      `${dir} is in use by process ${process.pid}. Stop that process first, or choose another directory: DATA_DIR=.data-two npm start\n`,
    )
  })

  test.skipIf(!tryToMount())('a disk that is too small', async () => {
    const dir = givenFolder()
    cleanups.push(mountAt(dir, 60))

    expect(await sayingOf({ DATABASE_URL: '', DATA_DIR: dir })).toMatch(
      /^There is no room for a database in \S+: \d+ MiB are free, and it needs 150 MiB\. Free some space, or choose another directory with DATA_DIR\.\n$/,
    )
  })

  test('a password that the database does not know', async () => {
    const wrong = Object.assign(new URL(databaseUrl), { password: 'wrong' }).href
    expect(await sayingOf({ DATABASE_URL: wrong })).toMatch(/^password authentication failed for user "[^"]+"\.\n$/)
  })

  test('packages that were not installed', async () => {
    const dir = givenFolder()
    for (const path of ['start.js', 'bin', 'src', 'appliance', 'package.json'])
      cpSync(join(ROOT, path), join(dir, path), { recursive: true })

    expect(await run(process.execPath, ['start.js'], dir)).toMatch(
      /^The package \S+ is missing\. Install all packages: npm ci\n$/,
    )
  })
})

describe('a Node that is too old', () => {
  /** It runs what it is given as the one that runs these tests does, but for the version that it tells. */
  function givenOldNode(): string[] {
    const preload = join(givenFolder(), 'old.cjs')
    writeFileSync(
      preload,
      `Object.defineProperty(process.versions, 'node', { value: '20.19.0' })\nObject.defineProperty(process, 'version', { value: 'v20.19.0' })\n`,
    )
    return ['--require', preload]
  }

  test('runs what it was asked to on the one that the packages bring', async () => {
    const dir = givenFolder()
    const main = join(dir, 'main.ts')
    writeFileSync(
      main,
      'const words: string[] = process.argv.slice(2)\nconsole.log(import.meta.main, process.env.SET, words)\n',
    )
    writeFileSync(join(dir, '.env'), 'SET=there\n')

    expect(await run(process.execPath, [...givenOldNode(), join(ROOT, 'bin/run.js'), '--env', main, 'a b'], dir)).toBe(
      "true there [ 'a b' ]\n",
    )
  })

  test('hands on how much memory it may use', async () => {
    const main = join(givenFolder(), 'main.ts')
    writeFileSync(main, 'console.log(process.execArgv)\n')

    const words = ['--max-semi-space-size=32', ...givenOldNode(), join(ROOT, 'bin/run.js'), main]
    expect(await run(process.execPath, words, givenFolder())).toBe("[ '--max-semi-space-size=32' ]\n")
  })

  test('is reported if there is no other', async () => {
    const dir = givenFolder("it's bare")
    for (const path of ['start.js', 'bin', 'package.json'])
      cpSync(join(ROOT, path), join(dir, path), { recursive: true })

    expect(await run(process.execPath, [...givenOldNode(), 'start.js'], dir)).toBe(
      'Atrium needs Node 24 or newer; this is v20.19.0. The packages bring one along: npm ci\n',
    )
  })
})

describe('.env in the working directory', () => {
  test('is read, and what is set wins', async () => {
    const cwd = givenFolder()
    const ports = { file: await freePort(), set: await freePort() }
    writeFileSync(join(cwd, '.env'), `# of this folder\nPORT=${ports.file}\nPUBLIC_URL="https://of.the.file"\n`)

    const service = await startProcess({ databaseUrl, port: ports.set, cwd })
    cleanups.push(() => service.end('SIGTERM'))

    const answer = await fetch(`http://127.0.0.1:${ports.set}/readyz`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })
})

describe('in production', () => {
  const env = { ...asInProduction, LOG_LEVEL: 'info', COMMIT: 'abc' }
  let ownUrl: string
  beforeAll(async () => {
    ownUrl = await createDatabase()
  })

  test('everything on stdout is JSON, and says which version is ready', async () => {
    const service = await startProcess({ databaseUrl: ownUrl, env })
    await service.end('SIGTERM')

    expect(linesOf(service)).toContainEqual(
      expect.objectContaining({ msg: 'Atrium is ready', port: service.port, commit: 'abc' }),
    )
  })

  test.skipIf(!redisIsHere())('a Redis that refuses is one line of the log, and no reason not to start', async () => {
    const redis = await startRedis()
    cleanups.push(() => redis.stop())
    await redis.ask('CONFIG SET requirepass secret')

    const service = await startProcess({ databaseUrl: ownUrl, redisUrl: redis.url, env })
    // It has tried again and again: each look is a connection too.
    let looks = 0
    await until(async () => {
      const said = await redis.ask('AUTH secret\r\nINFO stats')
      return Number(/total_connections_received:(\d+)/.exec(said)?.[1]) - ++looks > 20
    })
    await service.end('SIGTERM')

    expect(linesOf(service).filter((line) => /redis|NOAUTH/i.test(JSON.stringify(line)))).toEqual([
      expect.objectContaining({ msg: 'Redis is away; continuing without it' }),
    ])
  })

  /** @throws if one is no JSON */
  const linesOf = (service: ServiceProcess) =>
    service
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
})

test('a cluster of Redis that is away gives the doctor its reason', async () => {
  const nobody = await freePort()
  await expect(pingRedis(`redis+cluster://127.0.0.1:${nobody}`)).rejects.toThrow('Failed to refresh slots cache')
})

describe('a Docker that answers', () => {
  test('and lacks the image is left alone, and that is said', async () => {
    const socketPath = join(givenFolder(), 'docker.sock')
    const docker = createServer((_req, res) => res.writeHead(404).end('{"message":"No such image"}'))
    await new Promise<void>((resolve) => docker.listen(socketPath, resolve))
    cleanups.push(() => docker.close())
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})

    const server = await startThrowawayServer(socketPath)
    await server.stop()

    expect(server.url('postgres')).toContain('@127.0.0.1:')
    expect(said.mock.calls.flat()).toEqual([
      'Docker has no image postgres:18 (docker pull postgres:18): the embedded PostgreSQL is used.',
    ])
    said.mockRestore()
  })
})

const children = new Set<ChildProcess>()
afterAll(() => children.forEach((child) => void child.kill('SIGKILL')))

/** What a program has said when it has ended, with nothing of our environment. */
function run(program: string, args: string[], cwd: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, DATA_DIR: join(tmpdir(), `atrium-test-${randomUUID()}`) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => {
      children.delete(child)
      resolve(said)
    })
  })
}
