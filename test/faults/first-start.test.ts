import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { northwindLabs } from '../../demo/companies.ts'
import { endsWithFile } from '../support/clean-up.ts'
import { atrium } from '../support/cli.ts'
import { atriumHere } from '../support/cli-here.ts'
import { cloneDatabase, createDatabase } from '../support/database.ts'
import { mountAt, tryToMount } from '../support/disk.ts'
import { newFolder } from '../support/folder.ts'
import { until } from '../support/patience.ts'
import { isHere } from '../support/plugins.ts'
import { makeCluster } from '../support/postgres.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { startProcess } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const databaseUrl = await cloneDatabase()

function givenFolder(name = 'here'): string {
  const folder = join(newFolder(), name)
  mkdirSync(folder)
  return folder
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
  const [first, ...rest] = message.replace('The service did not become ready:\n', '').split('\n')
  expect(first).toBe('Atrium is starting.')
  return rest.join('\n')
}

describe('what is in the way of a start is reported in a sentence', () => {
  test('a port that is taken, before a database is made', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const { port } = squatter.address() as { port: number }
    endsWithFile(() => squatter.close())
    const dir = join(givenFolder(), 'data')

    // The squatter answers nobody, so that nobody takes it for the service.
    expect(await sayingOf({ PORT: String(port), DATABASE_URL: '', DATA_DIR: dir })).toBe(
      `Port ${port} is in use by another program. Stop that one, or choose another port: PORT=${port + 1} npm start\n`,
    )
    expect(existsSync(join(dir, 'postgres'))).toBe(false)
  })

  test.skipIf(process.platform !== 'linux')('a data directory that cannot be made', async () => {
    const said = (folder: string) =>
      `${folder} cannot be created. Choose another directory with DATA_DIR or FILE_STORAGE_ROOT.\n`
    const env = { DATABASE_URL: '', DATA_DIR: '/proc/atrium', JWT_SECRET: '' }
    expect(await sayingOf(env)).toBe(said('/proc/atrium'))
    expect(await sayingOf({ FILE_STORAGE_ROOT: '/proc/files' })).toBe(said('/proc/files'))
    const files = { DATABASE_URL: databaseUrl, FILE_STORAGE_ROOT: '/proc/files' }
    expect((await atriumHere('doctor', { env: files })).out).toMatch(/^FAIL {2}files .*ENOENT.*\n +→ make the folder/m)
    expect(await atriumHere('migrate up', { env: { DATA_DIR: '/proc/atrium/below' } })).toMatchObject({
      code: 1,
      err: said('/proc/atrium'),
    })
  })

  test('a data directory that another process has', async () => {
    const dir = givenFolder()
    await makeCluster(dir)
    const owner = await startEmbedded({ dir, durable: false, mode: 'exclusive' })
    endsWithFile(() => owner.stop())

    expect(await sayingOf({ DATABASE_URL: '', DATA_DIR: dir })).toBe(
      `${dir} is in use by process ${process.pid}. Stop that process first, or choose another directory: DATA_DIR=.data-two npm start\n`,
    )
  })

  test.skipIf(!tryToMount())('a disk that is too small', async () => {
    const dir = givenFolder()
    endsWithFile(mountAt(dir, 60))

    expect(await sayingOf({ DATABASE_URL: '', DATA_DIR: dir })).toMatch(
      /^There is no room for a database in \S+: \d+ MiB are free, and it needs 150 MiB\. Free some space, or choose another directory with DATA_DIR\.\n$/,
    )
  })

  test('files in a store whose plug-in is off, because a folder would not have them', async () => {
    const env = { FILE_STORAGE: 's3', S3_BUCKET: 'files', PLUGINS: 'none' }
    const reason = 'FILE_STORAGE=s3 needs the plug-in s3, which is off: name it in PLUGINS.\n'
    expect(await sayingOf(env)).toBe(reason)
    // Not in this process, where the plug-in may be on.
    const { code, out } = await atrium('doctor', { env: { ...env, DATABASE_URL: databaseUrl } })
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^FAIL {2}files .*\n +→ FILE_STORAGE=s3 needs the plug-in s3/m),
    ])
  })

  test.skipIf(!isHere('mail'))('unless it is a variable of a plug-in that is off', async () => {
    const mail = { MAIL_URL: 'nowhere', MAIL_CONNECTIONS: 'many' }
    const refusal = /^The configuration is not valid:\n {2}MAIL_URL: .*\n {2}MAIL_CONNECTIONS: .*\n {2}MAIL_FROM: .*\n$/
    expect(await sayingOf(mail)).toMatch(refusal)

    const service = await startProcess({ databaseUrl, env: { ...mail, PLUGINS: 'none', LOG_LEVEL: 'warn' } })
    await service.end('SIGTERM')
    const said = service.output().split('\n')
    for (const name of Object.keys(mail)) expect(said.filter((line) => line.includes(name))).toHaveLength(1)
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
      /^Atrium is starting\.\nThe package \S+ is missing\. Install all packages: npm ci\n$/,
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

  test('runs what it was asked to on the one that the packages bring, with as much memory', async () => {
    const dir = givenFolder()
    const main = join(dir, 'main.ts')
    writeFileSync(
      main,
      'const words: string[] = process.argv.slice(2)\nconsole.log(import.meta.main, process.env.SET, words, process.execArgv)\n',
    )
    writeFileSync(join(dir, '.env'), 'SET=there\n')
    const words = ['--max-semi-space-size=32', ...givenOldNode(), join(ROOT, 'bin/run.js'), '--env', main, 'a b']

    expect(await run(process.execPath, words, dir)).toBe("true there [ 'a b' ] [ '--max-semi-space-size=32' ]\n")
  })

  test.each(['start.js', ...globSync('bin/*.js', { cwd: ROOT })])('can load %s', (path) => {
    // What it does not have would be an error before the other one is looked for.
    expect(readFileSync(join(ROOT, path), 'utf8')).not.toMatch(/import \{[^}]*\} from 'node:module'/)
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

    await startProcess({ databaseUrl, port: ports.set, cwd })

    const answer = await until(async () => {
      const said = await fetch(`http://127.0.0.1:${ports.set}/readyz`)
      return said.status === 200 && said
    })
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })
})

test('bundles that are not whole, as after a power cut, or were made before an update, are used no more and made again', async () => {
  const dir = givenFolder()
  for (const path of ['bin', 'src', 'appliance', 'package.json'])
    cpSync(join(ROOT, path), join(dir, path), { recursive: true })
  const cache = join(dir, 'node_modules/.cache/atrium-start')
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.')))
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name))
  const asked = `import('./bin/bundles.js').then(({ madeBundles }) => console.log(Boolean(madeBundles())))`
  const areUsed = () => run(process.execPath, ['-e', asked], dir)
  const make = () => run(process.execPath, ['bin/bundle.js'], dir)
  const list = join(cache, 'list.json')
  const main = () => join(cache, JSON.parse(readFileSync(list, 'utf8')).folder, 'appliance-main.mjs')

  const manifest = join(dir, 'package.json')
  const other = () =>
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": ".+?"/, '"version": "1.2.3"'))

  for (const damage of [() => truncateSync(list), () => truncateSync(main()), () => rmSync(main()), other]) {
    expect(await make()).toBe('')
    expect(await areUsed()).toBe('true\n')
    damage()
    expect(await areUsed()).toBe('false\n')
  }
})

test('the demo is seeded by the command line too, where the service starts from bundles', async () => {
  const url = await cloneDatabase()
  const taken = `tenant create ${northwindLabs.code} --admin-email a@b.example`
  const env = { DATABASE_URL: url }
  expect(await atriumHere(taken, { env, stdin: 'correct horse battery' })).toMatchObject({ code: 0 })
  const cwd = givenFolder()
  writeFileSync(join(cwd, '.env'), `DATABASE_URL=${url}\n`)

  expect(await run(process.execPath, [join(ROOT, 'bin/bundle.js')], cwd)).toBe('')
  // It has read the database then.
  expect(await run(process.execPath, [join(ROOT, 'bin/atrium.js'), 'seed'], cwd)).toMatch(
    new RegExp(`There is a tenant ${northwindLabs.code} that is not the demo's\\.`),
  )
})

test('in production everything on stdout is JSON and says which version is ready, and a Redis that refuses is one line of it', async () => {
  const env = {
    ...{ NODE_ENV: 'production', ADMIN_PASSWORD: 'correct horse battery', CORS_ORIGINS: 'https://app.example.com' },
    ...{ LOG_LEVEL: 'info', COMMIT: 'abc' },
  }
  const redis = redisIsHere() ? await startRedis() : undefined
  await redis?.ask('CONFIG SET requirepass secret')

  const service = await startProcess({
    databaseUrl: await createDatabase(),
    ...(redis && { redisUrl: redis.url }),
    env,
  })
  if (redis) {
    // It has tried again and again: each look is a connection too.
    let looks = 0
    await until(async () => {
      const said = await redis.ask('AUTH secret\r\nINFO stats')
      return Number(/total_connections_received:(\d+)/.exec(said)?.[1]) - ++looks > 20
    })
  }
  await service.end('SIGTERM')

  const lines = service.output().trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'Atrium is ready', port: service.port, commit: 'abc' }),
  )
  expect(lines.filter((line) => /redis|NOAUTH/i.test(line)).map((line) => JSON.parse(line))).toEqual(
    redis ? [expect.objectContaining({ msg: 'Redis is away; continuing without it' })] : [],
  )
})

/** What a program has said when it has ended, with nothing of our environment. */
function run(program: string, args: string[], cwd: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env.PATH, DATA_DIR: join(tmpdir(), `atrium-test-${randomUUID()}`) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = endsWithFile(() => child.kill('SIGKILL'))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => stop().then(() => resolve(said)))
  })
}
