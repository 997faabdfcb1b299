import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/atrium/finding.ts'
import { atriumHere } from '../support/cli-here.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { installedVersions, startInstalled } from '../support/installed-postgres.ts'
import { startOwnPostgres } from '../support/postgres.ts'
import { startHere } from '../support/service-here.ts'
import { signIn } from '../support/workload.ts'

/** Services of several owners on one server. Roles belong to the server, so what one owner makes is in the way of the next. */

const OWNERS = { superuser: 'superuser', maker: 'createrole', plain: '' }
interface Owned {
  name: string
  url: string
  superuserUrl: string
}

describe.each<[string, number | undefined]>([
  ['the embedded PostgreSQL', undefined],
  ...installedVersions().map((version): [string, number] => [`PostgreSQL ${version}`, version]),
])('on %s', (_, version) => {
  const dir = newFolder()
  let server: { url(database: string): string; stop(): Promise<void> }
  let look: Inspector
  let count = 0
  /** in the order in which their services start, each kind after each that could be in its way */
  let owned: Record<'other' | 'superuser' | 'plain' | 'maker', Owned>
  beforeAll(async () => {
    server = version ? await startInstalled(version) : await startOwnPostgres({ durable: false, pooled: false })
    look = await openInspector(server.url('postgres'))
    owned = {
      other: await givenDatabase('maker'),
      superuser: await givenDatabase('superuser'),
      plain: await givenDatabase('plain'),
      maker: await givenDatabase('maker'),
    }
  })

  /** A database of its own for a new owner of the kind. */
  async function givenDatabase(kind: keyof typeof OWNERS): Promise<Owned> {
    const name = `${kind}-${++count}`
    await look.rows(`create role "${name}" login password 'secret' ${OWNERS[kind]}`)
    await look.rows(`create database "${name}" owner "${name}"`)
    const url = Object.assign(new URL(server.url(name)), { username: name, password: 'secret' }).href
    return { name, url, superuserUrl: server.url(name) }
  }

  /** Starts the service, signs in, and stops it again. */
  async function expectToServe(url: string, env: Record<string, string> = {}) {
    const service = await startHere(url, env)
    await signIn(service.remote)
    await service.stop()
  }

  /** What the doctor says; that nothing is durable here, or that the disk of the tests is nearly full, is no news. */
  async function findingsOf(url: string, env: Record<string, string> = {}): Promise<Finding[]> {
    const said = await atriumHere('doctor --json', {
      env: { DATABASE_URL: url, FILE_STORAGE_ROOT: join(dir, 'files'), ...env },
    })
    return said.json().filter(({ check, what }: Finding) => check !== 'durability' && !/MiB are free/.test(what))
  }
  const complaintsOf = async (url: string) => (await findingsOf(url)).filter(({ verdict }) => verdict !== 'ok')

  test('services of a maker of roles, a superuser, a plain owner and another maker start one after the other, and start again', async () => {
    const databases = Object.values(owned)
    for (const { url } of [...databases, ...databases]) await expectToServe(url)
    const roles = await look.rows<{ name: string }>(
      `select rolname as name from pg_roles where rolname ~ '^atrium_service_' order by 1`,
    )
    const { other, superuser, maker } = owned
    expect(roles.map(({ name }) => name)).toEqual([other, maker, superuser].map(({ name }) => `atrium_service_${name}`))
    for (const { url } of databases) expect(await complaintsOf(url)).toEqual([])
  })

  test('what one owner may become opens nothing in the database of another', async () => {
    const { maker, other } = owned
    const intruder = await openInspector(maker.url.replace(/\/[^/]*$/, `/${other.name}`))
    await intruder.rows(`set role "atrium_service_${maker.name}"`)
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

  test('a role that may not become the role of the service is reported with the cure, by the start and by the doctor alike', async () => {
    const { name, url } = owned.maker
    await look.rows(`create role "weak-${name}" login password 'secret'`)
    const weak = Object.assign(new URL(url), { username: `weak-${name}` }).href
    const env = { MIGRATION_DATABASE_URL: url }
    const roleOf = async () => (await findingsOf(weak, env)).find(({ check }) => check === 'role')!

    const message = await startHere(weak, env).catch((error) => error.message)
    const finding = await roleOf()

    const advice = `grant "atrium_service_${name}" to "weak-${name}"`
    expect(message).toBe(
      `weak-${name} may not become atrium_service_${name}, the role in which the service works. As its owner or a superuser: ${advice}`,
    )
    expect(finding).toMatchObject({ verdict: 'FAIL', remedy: advice })
    const owner = await openInspector(url)
    await owner.rows(finding.remedy!)
    await owner.close()
    expect(await roleOf()).toMatchObject({ verdict: 'ok' })
    await expectToServe(weak, env)
  })

  test('a database keeps the role that its tables were granted to, whatever its name; without its grants it says what has happened, and does not call it a hole', async () => {
    const { name, url, superuserUrl } = owned.superuser
    await look.rows(`alter role "atrium_service_${name}" rename to atrium_service`)
    await look.rows(`create role "atrium_service_${name}" nologin`)

    await expectToServe(url)
    expect(await complaintsOf(url)).toEqual([])

    const inside = await openInspector(superuserUrl)
    await inside.rows('drop owned by atrium_service')
    await inside.close()
    await look.rows('drop role atrium_service')

    await expect(startHere(url)).rejects.toThrow(
      /this database was restored without it\. As a superuser: restore it again, by atrium restore/,
    )
    expect((await complaintsOf(url))[0]).toMatchObject({ verdict: 'FAIL', check: 'role' })
  })
})

describe('a database whose owner may not make roles, on a server that nobody has prepared for the service', () => {
  let look: Inspector
  let plain: string
  beforeAll(async () => {
    const postgres = await startOwnPostgres({ durable: false, pooled: false })
    look = await openInspector(await postgres.createDatabase())
    await look.rows(`create role plain login password 'plain'`)
    await look.rows(`alter database ${new URL(look.url).pathname.slice(1)} owner to plain`)
    plain = Object.assign(new URL(look.url), { username: 'plain', password: 'plain' }).href
  })

  test('the service works as the owner, who has given up to change or remove what was written for good', async () => {
    const service = await startHere(plain)
    const { client } = await signIn(service.remote)
    ;(await client.put('/notifications/read-all')).expect(200)
    expect(await look.count('select count(*) from audit_operations where status = 200')).toBe(2)
    for (const verb of ['update', 'delete', 'truncate'])
      expect(await look.rows(`select has_table_privilege('plain', 'audit_operations', '${verb}') as may`)).toEqual([
        { may: false },
      ])
    await service.stop()
  })

  test('so it cannot remove old audit rows either, and says before the start what would be needed', async () => {
    await expect(startHere(plain, { AUDIT_RETENTION_DAYS: '30' })).rejects.toThrow(
      /^The configuration is not valid:\n {2}AUDIT_RETENTION_DAYS: needs a role for the service, which works as plain/,
    )
  })

  test('where compose.yaml has made the role before the first start, the owner is nothing else, and old audit rows go', async () => {
    // The embedded server comes with a role and a database of this name.
    const [, script] = /<<'SQL'\n([\s\S]*)^SQL$/m.exec(
      readFileSync(new URL('../../deploy/postgres/10-atrium.sh', import.meta.url), 'utf8'),
    )!
    const statements = script!
      .replaceAll(/\batrium\b/g, 'shop')
      .replaceAll('atrium_service_atrium', 'atrium_service_shop')
      .replace(":'password'", "'of the file'")
    for (const statement of statements.split(';').filter((text) => text.trim())) await look.rows(statement)
    const owner = { username: 'shop', password: 'of the file', pathname: '/shop' }
    const superuserUrl = Object.assign(new URL(look.url), { pathname: '/shop' }).href
    const url = Object.assign(new URL(look.url), owner).href
    const service = await startHere(url, { AUDIT_RETENTION_DAYS: '30' })

    const rights = 'select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles'
    expect(await look.rows(`${rights} where rolname = 'shop'`)).toEqual([
      { rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false, rolreplication: false },
    ])
    const { out } = await atriumHere('doctor', { env: { DATABASE_URL: url } })
    expect(out).toMatch(/ok +\S.*\batrium_service_shop\b/)
    expect(out.match(/^FAIL {2}(?!durability).*/gm) ?? []).toEqual([])

    const [superuser, shop] = [await openInspector(superuserUrl), await openInspector(url)]
    await superuser.rows(
      `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
       select 1, 'r', 'PUT', '/', '/', 200, 1, '', '', now() - (5 - n) * interval '20 days' from generate_series(1, 4) n`,
    )
    await shop.rows(
      `begin; set local role atrium_service_shop; set local app.tenant_id = '1'; select prune_audit(30, 1000); commit`,
    )
    expect(await superuser.count(`select count(*) from audit_operations where request_id = 'r'`)).toBe(1)
    await signIn(service.remote)
    await Promise.all([superuser.close(), shop.close()])
    await service.stop()
  })
})
