import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startEmbedded } from '../../appliance/embedded/embedded.ts'
import { startService } from '../../src/start.ts'
import { atrium } from '../support/cli.ts'
import { testConfig } from '../support/config.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { installedVersions, startInstalled } from '../support/installed-postgres.ts'
import { openRemote } from '../support/remote.ts'

/** Services of several owners on one server. Roles belong to the server, so what one owner makes is in the way of the next. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const OWNERS = { superuser: 'superuser', maker: 'createrole', plain: '' }
const installed = installedVersions()
if (installed.length === 0) console.warn('SKIPPED: shared clusters on other versions: no /usr/lib/postgresql here')

describe.each([['embedded', undefined] as const, ...installed.map((version) => ['installed', version] as const)])(
  'on PostgreSQL (%s %s)',
  (_, version) => {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-shared-'))
    let server: { url(database: string): string; stop(): Promise<void> }
    let look: Inspector
    let count = 0
    beforeAll(async () => {
      server = version
        ? await startInstalled(version)
        : await startEmbedded({ dir, durable: false, mode: 'exclusive', settings: { fsync: 'on' } })
      look = await openInspector(server.url('postgres'))
    })
    afterAll(async () => {
      await look?.close()
      await server?.stop()
      rmSync(dir, { recursive: true, force: true })
    })

    /** A database of its own for a new owner of the kind. */
    async function givenDatabase(kind: keyof typeof OWNERS) {
      const name = `${kind}-${++count}`
      await look.rows(`create role "${name}" login password 'secret' ${OWNERS[kind]}`)
      await look.rows(`create database "${name}" owner "${name}"`)
      const url = Object.assign(new URL(server.url(name)), { username: name, password: 'secret' }).href
      return { name, url, superuserUrl: server.url(name) }
    }

    const start = (url: string, env: Record<string, string> = {}) =>
      startService(testConfig(env), url, pino({ level: 'silent' }))

    /** Starts the service, signs in, and stops it again. */
    async function expectToServe(url: string, env: Record<string, string> = {}) {
      const service = await start(url, env)
      const remote = openRemote(service.port)
      ;(await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(200)
      remote.close()
      await service.stop()
    }

    async function complaintsOf(url: string) {
      const said = await atrium('doctor --json', { env: { DATABASE_URL: url, FILE_STORAGE_ROOT: join(dir, 'files') } })
      return (said.json() as { check: string; verdict: string; what: string; remedy?: string }[]).filter(
        ({ verdict, check }) => verdict !== 'ok' && check !== 'durability',
      )
    }

    test.each([
      ['superuser', 'plain'],
      ['maker', 'superuser'],
      ['maker', 'maker'],
      ['plain', 'maker'],
    ] as const)('a service of a %s and then one of a %s both start, and start again', async (first, second) => {
      const databases = [await givenDatabase(first), await givenDatabase(second)]
      for (const { url } of [...databases, ...databases]) await expectToServe(url)
      const roles = await look.rows<{ name: string }>(`select rolname as name from pg_roles where rolname = any ($1)`, [
        databases.map(({ name }) => `atrium_service_${name}`),
      ])
      const expected = databases.filter((_, at) => [first, second][at] !== 'plain')
      expect(roles.map(({ name }) => name).sort()).toEqual(expected.map(({ name }) => `atrium_service_${name}`).sort())
      for (const { url } of databases) expect(await complaintsOf(url)).toEqual([])
    })

    test('what one owner may become opens nothing in the database of another', async () => {
      const [mine, theirs] = [await givenDatabase('maker'), await givenDatabase('maker')]
      for (const { url } of [mine, theirs]) await expectToServe(url)
      const intruder = await openInspector(mine.url.replace(/\/[^/]*$/, `/${theirs.name}`))
      await intruder.rows(`set role "atrium_service_${mine.name}"`)
      await expect(intruder.rows('select * from users')).rejects.toThrow('permission denied')
      await intruder.close()
    })

    test('a plain owner learns what a superuser could do before the first start, and that cures', async () => {
      const { name, url } = await givenDatabase('plain')

      const [complaint, ...others] = await complaintsOf(url)
      expect(others.map(({ check }) => check)).toEqual(['migrations'])
      expect(complaint).toMatchObject({ verdict: 'warn', check: 'role' })
      await look.rows(complaint!.remedy!.replace(/^before the first start: /, ''))

      expect((await complaintsOf(url)).map(({ check }) => check)).toEqual(['migrations'])
      await expectToServe(url, { AUDIT_RETENTION_DAYS: '30' })
      expect(await complaintsOf(url)).toEqual([])
      expect(await look.rows(`select from pg_roles where rolname = 'atrium_service_${name}'`)).toHaveLength(1)
    })

    test('a database keeps the role that its tables were granted to, whatever its name', async () => {
      const { name, url, superuserUrl } = await givenDatabase('superuser')
      await expectToServe(url)
      await look.rows(`alter role "atrium_service_${name}" rename to atrium_service`)
      await look.rows(`create role "atrium_service_${name}" nologin`)

      await expectToServe(url)
      expect(await complaintsOf(url)).toEqual([])

      const inside = await openInspector(superuserUrl)
      await inside.rows('drop owned by atrium_service')
      await inside.close()
      await look.rows('drop role atrium_service')
    })

    test('a role that may not become the role of the service is reported with the cure, by the start and by the doctor alike', async () => {
      const { name, url } = await givenDatabase('maker')
      await expectToServe(url)
      await look.rows(`create role "weak-${name}" login password 'secret'`)
      const weak = Object.assign(new URL(url), { username: `weak-${name}` }).href
      const env = { MIGRATION_DATABASE_URL: url }
      const doctor = async () =>
        (
          await atrium('doctor --json', { env: { DATABASE_URL: weak, FILE_STORAGE_ROOT: join(dir, 'files'), ...env } })
        ).json()

      const message = await start(weak, { DATABASE_URL: weak, ...env }).catch((error) => error.message)
      const finding = (await doctor()).find(({ check }: any) => check === 'role')

      const advice = `grant "atrium_service_${name}" to "weak-${name}"`
      expect(message).toBe(
        `weak-${name} may not become atrium_service_${name}, the role in which the service works. As its owner or a superuser: ${advice}`,
      )
      expect(finding).toMatchObject({ verdict: 'FAIL', remedy: advice })
      const owner = await openInspector(url)
      await owner.rows(finding.remedy)
      await owner.close()
      expect((await doctor()).filter(({ check }: any) => check === 'role')).toMatchObject([{ verdict: 'ok' }])
      await expectToServe(weak, { DATABASE_URL: weak, ...env })
    })

    test('a database that lost its grants says what has happened, and does not call it a hole', async () => {
      const { name, url, superuserUrl } = await givenDatabase('superuser')
      await expectToServe(url)
      const inside = await openInspector(superuserUrl)
      await inside.rows(`drop owned by "atrium_service_${name}"`)
      await inside.close()

      const message = await start(url).catch((error) => error.message)

      expect(message).toMatch(
        /this database was restored without it\. As a superuser: restore it again, by atrium restore/,
      )
      expect((await complaintsOf(url))[0]).toMatchObject({ verdict: 'FAIL', check: 'role' })
    })
  },
)
