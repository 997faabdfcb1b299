import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../src/config/config.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'

/**
 * What describes a deployment is held against what it describes: files, variables, addresses, time limits. Whether an
 * engine takes it is not asked here; `test/faults/container.test.ts` runs what the image holds, `proxy.test.ts` nginx.
 * `kubernetes.test.ts` does the same for Kubernetes.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const ORDERLY_STOP_MS = 10_000

/** A name as the service reads it: NAME or NAME_FILE. */
const known = (name: string) => VARIABLES.some((variable) => variable.name === name.replace(/_FILE$/, ''))
const unknown = (where: string, names: readonly string[]) =>
  names
    .filter((name) => !known(name))
    .map((name) => `${where} sets ${name}, which the service does not read: correct it by src/config/variables.ts`)

describe('the image', () => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))

  test('copies only what is here', () => {
    const copied = all('COPY').filter((rest) => !rest.startsWith('--from'))

    expect(copied.length).toBeGreaterThan(3)
    for (const rest of copied)
      for (const path of rest.split(' ').slice(0, -1)) expect(existsSync(join(root, path)), path).toBe(true)
  })

  test('is no root, by number, which Kubernetes can check', () => {
    expect(all('USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)])
  })

  test('is given variables that are read, and runs files that are here', () => {
    const set = all('ENV').flatMap((rest) => rest.split(' ').map((each) => each.split('=')[0]!))
    const [command] = all('CMD').map((rest) => JSON.parse(rest) as string[])

    expectNone(unknown('Dockerfile', set))
    const { scripts } = JSON.parse(read('package.json'))
    expect(command!.join(' ')).toBe(scripts.start)
    expect(existsSync(join(root, command!.at(-1)!))).toBe(true)
  })
})

test('deploy/make-secrets.sh fills what a full disk has left empty, and keeps what is there', () => {
  const dir = newFolder()
  const script = join(dir, 'make-secrets.sh')
  const secret = (name: string) => join(dir, 'secrets', name)
  cpSync(join(root, 'deploy/make-secrets.sh'), script)
  mkdirSync(join(dir, 'secrets'))
  writeFileSync(secret('database_password'), '', { mode: 0o444 })
  writeFileSync(secret('jwt_secret'), 'of before')

  for (const _ of ['once', 'again']) execFileSync('sh', [script], { stdio: 'ignore' })

  const password = readFileSync(secret('database_password'), 'utf8')
  expect(password).toMatch(/^[0-9a-f]{48}$/)
  expect(readFileSync(secret('database_url'), 'utf8')).toContain(`:${password}@`)
  expect(readFileSync(secret('jwt_secret'), 'utf8')).toBe('of before')
  expect(readdirSync(join(dir, 'secrets')).filter((name) => name.endsWith('.new'))).toEqual([])
})

describe('compose.yaml', () => {
  const { services, secrets, networks } = parse(read('compose.yaml'), { merge: true })

  test('gives the service variables that are read, and secrets that are there', () => {
    for (const name of ['atrium-1', 'atrium-2', 'migrate']) {
      const { environment, secrets: given } = services[name]
      const files = Object.entries<string>(environment).filter(([variable]) => variable.endsWith('_FILE'))

      expectNone(unknown(`compose.yaml, ${name}`, Object.keys(environment)))
      expect(files.map(([, path]) => path.replace('/run/secrets/', ''))).toEqual(given)
    }
    for (const { secrets: given = [] } of Object.values<any>(services))
      for (const name of given) expect(read('deploy/make-secrets.sh')).toContain(`keep ${name} `)
    expect(Object.values<any>(secrets).map(({ file }) => file)).toEqual(
      Object.keys(secrets).map((name) => `./deploy/secrets/${name}`),
    )
  })

  test('makes a configuration that production accepts', () => {
    const { environment } = services['atrium-1']
    const secrets: Record<string, string> = {
      DATABASE_URL_FILE: 'postgres://atrium:x@postgres:5432/atrium',
      JWT_SECRET_FILE: 'j'.padEnd(64, '0123456789'),
      ADMIN_PASSWORD_FILE: 'a password of this test',
      REDIS_URL_FILE: 'redis://:x@redis:6379',
    }
    const given = Object.entries<string>(environment).map(([name, value]) =>
      name in secrets ? [name.slice(0, -5), secrets[name]] : [name, value],
    )
    const config = readConfig(
      { ...Object.fromEntries(given), NODE_ENV: 'production', CORS_ORIGINS: 'http://localhost:5173' },
      () => '',
    )

    expect(config.trustProxy).toEqual([networks.default.ipam.config[0].subnet])
    expect(config.shutdownDelay + ORDERLY_STOP_MS).toBeLessThan(
      Number.parseInt(services['atrium-1'].stop_grace_period, 10) * 1000,
    )
  })

  test('has nginx send to the two replicas, and nobody else published', () => {
    const upstreams = [...read('deploy/nginx.conf').matchAll(/^ {2}server (\S+):8080/gm)].map(([, host]) => host)
    const addressOf = (name: string) => services[name].networks.default.ipv4_address

    expect(upstreams).toEqual(['atrium-1', 'atrium-2'].map(addressOf))
    expect(networks.default.ipam.config[0].ip_range).toBe('172.30.87.128/25')
    for (const address of upstreams) expect(address).toMatch(/^172\.30\.87\.(\d|\d\d|1[01]\d|12[0-7])$/)
    expect(Object.keys(services).filter((name) => services[name].ports)).toEqual(['nginx'])
    expect(services.nginx.volumes[0]).toMatch(/^\.\/deploy\/nginx\.conf:/)
  })

  test('starts each thing behind what it needs', () => {
    for (const { depends_on = {} } of Object.values<any>(services))
      for (const [name, { condition }] of Object.entries<any>(depends_on)) {
        expect(services[name]).toBeDefined()
        if (condition === 'service_healthy' && !name.startsWith('atrium'))
          expect(services[name].healthcheck).toBeDefined()
      }
  })

  test('lets the service write nowhere but in its volume and in memory', () => {
    for (const name of ['atrium-1', 'atrium-2', 'migrate'])
      expect(services[name]).toMatchObject({ read_only: true, tmpfs: ['/tmp'], cap_drop: ['ALL'] })
  })
})

describe('nginx', () => {
  const text = read('deploy/nginx.conf')
  const config = readConfig({}, () => '')

  test('takes bodies as large as the service does', () => {
    const sizes = [...text.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size) * 2 ** 20)

    expect(sizes).toEqual([config.bodyLimit, expect.toSatisfy((size) => size > config.files.maxSize)])
  })

  test('gives a connection up before the service does', () => {
    const [, seconds] = /^ {2}keepalive_timeout (\d+)s;/m.exec(text)!
    expect(Number(seconds)).toBeLessThan(65)
    expect(read('src/app.ts')).toContain('keepAliveTimeout: 65_000')
  })
})
