import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig, VARIABLES } from '../../src/config.ts'

const dir = mkdtempSync(join(tmpdir(), 'atrium-config-'))
afterAll(() => rmSync(dir, { recursive: true }))

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
      jwtSecret: 'generated',
      corsOrigins: undefined,
      accessTokenTtl: 7200,
      refreshTokenTtl: 604_800,
      signInLimit: 10,
    })
  })

  test('takes a blank variable for an absent one, as container tools pass them', () => {
    expect(read({ PORT: '', REDIS_URL: '', JWT_SECRET: '' })).toMatchObject({
      port: 8080,
      redisUrl: undefined,
      jwtSecret: 'generated',
    })
  })
})

test('every problem is told in one message', () => {
  const attempt = () =>
    read({
      PORT: '0x10',
      NODE_ENV: 'prod',
      JWT_SECRET: 'short',
      AUDIT_READS: 'yes',
      ACCESS_TOKEN_TTL: '1e3',
      PUBLIC_URL: 'ftp://x',
    })

  expect(attempt).toThrow(/^The configuration is not valid:/)
  for (const name of ['PORT', 'NODE_ENV', 'JWT_SECRET', 'AUDIT_READS', 'ACCESS_TOKEN_TTL', 'PUBLIC_URL'])
    expect(attempt).toThrow(new RegExp(`^  ${name}: `, 'm'))
})

test('a problem is told without the value, which may be a secret', () => {
  expect(() => read({ JWT_SECRET: 'hunter2' })).not.toThrow(/hunter2/)
  expect(() => read({ JWT_SECRET: 'hunter2' })).toThrow(/JWT_SECRET/)
})

test('the configuration cannot be changed once it is read', () => {
  expect(Object.isFrozen(read({}))).toBe(true)
})

describe('a value in a file', () => {
  test('is read from NAME_FILE, without its last line break', () => {
    expect(read({ JWT_SECRET_FILE: givenFile('a-long-and-random-secret-in-a-file\n') }).jwtSecret).toBe(
      'a-long-and-random-secret-in-a-file',
    )
  })

  test('is refused beside NAME itself', () => {
    expect(() => read({ PORT: '1', PORT_FILE: givenFile('2') })).toThrow('Both PORT and PORT_FILE are set')
  })

  test('that cannot be read stops the start, and names the file', () => {
    expect(() => read({ JWT_SECRET_FILE: '/nowhere/secret' })).toThrow('/nowhere/secret')
  })
})

describe('production', () => {
  test('starts when it is told what it needs', () => {
    expect(read(production)).toMatchObject({
      production: true,
      host: '0.0.0.0',
      corsOrigins: ['https://app.example.com', 'https://admin.example.com'],
    })
  })

  test.each(['DATABASE_URL', 'JWT_SECRET', 'ADMIN_PASSWORD', 'CORS_ORIGINS'])('refuses to start without %s', (name) => {
    expect(() => read({ ...production, [name]: undefined })).toThrow(name)
  })

  test('names all that is missing at once', () => {
    expect(() => read({ NODE_ENV: 'production' })).toThrow(/DATABASE_URL.*JWT_SECRET.*ADMIN_PASSWORD.*CORS_ORIGINS/s)
  })

  test.each([
    ['ADMIN_PASSWORD', 'admin123'],
    ['ADMIN_PASSWORD', 'Password'],
    ['ADMIN_PASSWORD', 'changeme'],
    ['ADMIN_PASSWORD', '11111111'],
    ['JWT_SECRET', 'x'.repeat(40)],
  ])('refuses %s=%s, which everybody knows', (name, value) => {
    expect(() => read({ ...production, [name]: value })).toThrow(`${name} is well known`)
  })

  test('refuses a JWT_SECRET that is short, and never invents one', () => {
    expect(() => read({ ...production, JWT_SECRET: 'short' })).toThrow('JWT_SECRET')
    expect(
      readConfig(production, () => {
        throw new Error('asked for a development secret')
      }).jwtSecret,
    ).toBe(production.JWT_SECRET)
  })
})

test('.env.example names every variable, each with a word about it, and nothing else', () => {
  const lines = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8').split('\n')
  const names = lines.flatMap((line) => line.match(/^# ?([A-Z][A-Z0-9_]*)=/)?.[1] ?? [])

  expect(names).toEqual(VARIABLES)
  for (const name of names) expect(lines.find((line) => line.includes(`${name}=`))).toMatch(/=\S*\s+# \S+/)
})

test('.env.example shows the true defaults', () => {
  const text = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8')
  const shown = Object.fromEntries(
    [...text.matchAll(/^# ?([A-Z][A-Z0-9_]*)=(\S*)/gm)].map(([, name, value]) => [name!, value!]),
  )

  expect(read(shown)).toEqual(read({}))
})

function read(environment: Record<string, string | undefined>) {
  return readConfig(environment, () => 'generated')
}

function givenFile(text: string): string {
  const file = join(dir, `${Math.random()}`)
  writeFileSync(file, text)
  return file
}
