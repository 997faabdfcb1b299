import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import about from '../../src/config/about.json' with { type: 'json' }
import { readConfig } from '../../src/config/config.ts'
import { strayNames } from '../../src/config/environment.ts'
import { readOwnConfig } from '../../src/config/own-config.ts'
import { VARIABLES } from '../../src/config/variables.ts'
import { sealWith } from '../../src/util/seal.ts'
import { envExample } from '../../tools/env-example.ts'
import { expectNone } from '../support/expect-none.ts'
import { newFolder } from '../support/folder.ts'

const production = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://db/atrium',
  JWT_SECRET: 'a-long-and-random-secret-of-this-test',
  ADMIN_PASSWORD: 'correct horse battery',
  CORS_ORIGINS: 'https://app.example.com, https://admin.example.com',
}

describe('development', () => {
  test('needs no variable at all', () => {
    expect(read({})).toMatchObject({
      production: false,
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: undefined,
      jwtSecrets: ['generated'],
      corsOrigins: undefined,
      accessTokenTtl: 7200,
      refreshTokenTtl: 604_800,
      signInLimit: 10,
    })
  })
})

test('the offers of renewals are JSON by plan, and nothing else', () => {
  const offer = { amountCents: 29_900, days: 365 }
  expect(read({ RENEWALS: JSON.stringify({ team: offer }) }).renewals).toEqual({ team: offer })
  expect(read({}).renewals).toBeUndefined()
  for (const wrong of ['team', '[]', '{"team":{}}', '{"team":{"amountCents":0,"days":1}}', '{"team":1}'])
    expect(() => read({ RENEWALS: wrong })).toThrow('RENEWALS: must be JSON such as')
})

test('every problem is in one message, whatever its kind', () => {
  const attempt = () =>
    read({
      NODE_ENV: 'production',
      DATABASE_URL: 'mysql://db/atrium',
      PORT: '0x10',
      HOST: 'here',
      HOST_FILE: '/also/there',
      REDIS_URL_FILE: '/nowhere/redis',
      JWT_SECRET: 'short',
      ADMIN_PASSWORD: 'admin123',
      AUDIT_READS: 'yes',
      ACCESS_TOKEN_TTL: '1e3',
      PUBLIC_URL: 'ftp://x',
      TRUST_PROXY: '1',
      S3_BUCKET: 'unused',
      MIGRATION_DATABASE_URL: 'postgres://x',
    })

  expect(linesOf(attempt)).toEqual([
    'The configuration is not valid:',
    '  PORT: must be a whole number',
    '  HOST: is set, and so is HOST_FILE; set only one of them',
    "  HOST_FILE: ENOENT: no such file or directory, open '/also/there'",
    '  PUBLIC_URL: must begin with http:// or https://',
    '  TRUST_PROXY: must be addresses or CIDR blocks, and not all addresses there are',
    '  DATABASE_URL: must begin with postgres:// or postgresql://',
    "  REDIS_URL_FILE: ENOENT: no such file or directory, open '/nowhere/redis'",
    '  JWT_SECRET: must have at least 32 characters, and so must each of several between commas',
    '  ACCESS_TOKEN_TTL: must be a whole number',
    '  AUDIT_READS: must be one of true, false',
    '  CORS_ORIGINS: production needs it',
    '  ADMIN_PASSWORD: is well known; choose another',
    '  S3_BUCKET: is read only with FILE_STORAGE=s3',
  ])
})

test.each([
  ['MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: 'postgres://owner@db/atrium' }],
  ['REFRESH_TOKEN_TTL', { ACCESS_TOKEN_TTL: '7200', REFRESH_TOKEN_TTL: '3600' }],
  [
    'JWT_SECRET',
    { JWT_SECRET: 'one-secret-that-serves-for-everything', ADMIN_PASSWORD: 'one-secret-that-serves-for-everything' },
  ],
])('settings that contradict each other are refused: %s', (name, environment) => {
  expect(() => read(environment)).toThrow(new RegExp(`^  ${name}: `, 'm'))
})

describe('origins and networks', () => {
  test.each(['*', 'app.example.com', 'https://app.example.com/', 'https://a.example.com,b.example.com', 'null'])(
    'no browser sends the origin %s',
    (value) => expect(() => read({ CORS_ORIGINS: value })).toThrow('CORS_ORIGINS: must be origins'),
  )

  test.each(['true', '1', '10.0.0.0/33', '10.0.0.0/', 'proxy.local', '::1/129', '10.0.0.0/8, 0.0.0.0/0', '::/0'])(
    '%s names no proxy',
    (value) => expect(() => read({ TRUST_PROXY: value })).toThrow('TRUST_PROXY: must be addresses'),
  )

  test('proxies are named by address or block, of either family', () => {
    const { trustProxy } = read({ TRUST_PROXY: '10.0.0.0/8, 127.0.0.1,fd00::/8' })
    expect(trustProxy).toEqual(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])
  })
})

describe('a name that is not read', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['JWT_SECRETS', 'JWT_SECRET'],
    ['JWT_SECRET_FIEL', 'JWT_SECRET_FILE'],
    ['SIGNIN_LIMIT', 'SIGN_IN_LIMIT'],
    ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ])('%s was meant to be %s', (name, meant) => {
    expect(strayNames({ [name]: 'x' })).toEqual([{ name, meant }])
  })

  test('and begins as ours do is reported as well', () => {
    expect(strayNames({ S3_PASSWORD: 'x', DATABASE_SCHEMA: '5', AUDIT_WRITES: 'true' })).toEqual([
      { name: 'AUDIT_WRITES', meant: undefined },
      { name: 'DATABASE_SCHEMA', meant: undefined },
      { name: 'S3_PASSWORD', meant: undefined },
    ])
  })

  test('and belongs to somebody else is passed over', () => {
    const others = ['PATH', 'HOSTNAME', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'LOG_FORMAT', 'npm_config_port', 'MAIL']
    const neighbour = ['REDIS_SERVICE_HOST', 'REDIS_PORT', 'REDIS_PORT_6379_TCP_ADDR', 'REDIS_SERVICE_PORT_TLS']
    const ours = VARIABLES.flatMap(({ name }) => [name, `${name}_FILE`])

    expect(strayNames(Object.fromEntries([...others, ...neighbour, ...ours].map((name) => [name, 'x'])))).toEqual([])
  })
})

test('a value in a file is read from NAME_FILE, without its last line break', () => {
  const file = join(newFolder(), 'secret')
  writeFileSync(file, 'a-long-and-random-secret-in-a-file\n')
  expect(read({ JWT_SECRET_FILE: file }).jwtSecrets).toEqual(['a-long-and-random-secret-in-a-file'])
})

describe('production', () => {
  test.each([
    ['ADMIN_PASSWORD', 'admin123'],
    ['ADMIN_PASSWORD', 'Password'],
    ['ADMIN_PASSWORD', 'changeme'],
    ['ADMIN_PASSWORD', '11111111'],
    ['ADMIN_PASSWORD', '12345678'],
    ['ADMIN_PASSWORD', 'Qwerty123'],
    ['JWT_SECRET', 'x'.repeat(40)],
    ['JWT_SECRET', 'a phrase '.repeat(5)],
    ['JWT_SECRET', 'a phrase that is long and said two times and '.repeat(2)],
    ['JWT_SECRET', `${'ab'.repeat(20)}c`],
    ['JWT_SECRET', `${production.JWT_SECRET},${'x'.repeat(40)}`],
  ])('refuses %s=%s, which everybody knows', (name, value) => {
    expect(() => read({ ...production, [name]: value })).toThrow(`${name}: is well known`)
  })

  test('takes several secrets for tokens, each of them long enough', () => {
    const [first, former] = ['one-long-and-random-secret-for-tokens', 'the-long-and-random-secret-before-it']
    expect(read({ ...production, JWT_SECRET: `${first}, ${former}` }).jwtSecrets).toEqual([first, former])
    expect(() => read({ ...production, JWT_SECRET: `${first},short` })).toThrow('JWT_SECRET')
    expect(() => read({ ...production, JWT_SECRET: ',' })).toThrow('JWT_SECRET')
  })

  test('never invents a secret', () => {
    const invent = vi.fn()
    expect(readConfig(production, invent).jwtSecrets).toEqual([production.JWT_SECRET])
    expect(invent).not.toHaveBeenCalled()
  })
})

test('every variable says what it is for', () => {
  const said: Readonly<Record<string, string>> = about
  const silent = VARIABLES.filter(({ name }) => !said[name]?.trim())
  expectNone(silent.map(({ name }) => `Nothing says what ${name} is for: describe it in src/config/about.json`))
  expect(Object.keys(said)).toEqual(VARIABLES.map(({ name }) => name))
})

test('.env.example is what the variables say of themselves; npm run env:example writes it again', () => {
  expect(readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')).toBe(envExample())
})

test('.env.example shows the true defaults', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const shown = Object.fromEntries(
    [...text.matchAll(/^# ?([A-Z][A-Z0-9_]*)=(\S*)/gm)].map(([, name, value]) => [name!, value!]),
  )

  expect(read(shown)).toEqual({ ...read({}), given: expect.any(Array) })
})

function read(environment: Record<string, string | undefined>) {
  return readConfig(environment, () => 'generated')
}

function linesOf(attempt: () => unknown): string[] {
  try {
    attempt()
  } catch (error) {
    return (error as Error).message.split('\n')
  }
  throw new Error('nothing was wrong')
}

test('what the demo or another program beside the service encrypts, the service decrypts', () => {
  const folder = newFolder()
  const sealerOf = (program: string) =>
    sealWith(readOwnConfig({ DATA_DIR: folder, npm_lifecycle_event: program }).sealingSecrets)
  const sealed = sealerOf('seed:demo').seal('a second factor', 'place')
  expect(sealerOf('start').open(sealed, 'place')).toBe('a second factor')

  const beside = ['appliance/main.ts', 'demo/demo.ts']
  for (const file of beside) expect(readFileSync(file, 'utf8'), file).toContain('readOwnConfig(process.env)')
})
