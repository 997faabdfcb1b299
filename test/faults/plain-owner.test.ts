import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import { atriumHere } from '../support/cli-here.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { type ServiceHere, startHere } from '../support/service-here.ts'

/** A database whose owner may not make roles, on a server that nobody has prepared for the service. */
let postgres: OwnPostgres
let look: Inspector
let url: string
let role: string
beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false, pooled: false })
  const superuser = await postgres.createDatabase()
  look = await openInspector(superuser)
  role = serviceRoleOf(new URL(superuser).pathname.slice(1))
  await look.rows(`create role plain login password 'plain'`)
  await look.rows(`alter database ${new URL(superuser).pathname.slice(1)} owner to plain`)
  url = Object.assign(new URL(superuser), { username: 'plain', password: 'plain' }).href
})
afterAll(async () => {
  await look?.close()
  await postgres?.stop()
})

async function signIn({ remote }: ServiceHere) {
  const pair = await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })
  return remote.as(pair.expect(200).accessToken)
}

test('the service works as the owner, who has given up to change or remove what was written for good', async () => {
  const service = await startHere(url)
  ;(await (await signIn(service)).put('/notifications/read-all')).expect(200)
  expect(await look.count('select count(*) from audit_operations where status = 200')).toBe(2)
  for (const verb of ['update', 'delete', 'truncate'])
    expect(await look.rows(`select has_table_privilege('plain', 'audit_operations', '${verb}') as may`)).toEqual([
      { may: false },
    ])
  await service.stop()
})

test('so it cannot remove old audit rows either, and says before the start what would be needed', async () => {
  await expect(startHere(url, { AUDIT_RETENTION_DAYS: '30' })).rejects.toThrow(
    /^The configuration is not valid:\n {2}AUDIT_RETENTION_DAYS: needs a role for the service, which works as plain/,
  )
})

test('and it goes on so where a superuser makes the role afterwards', async () => {
  await look.rows(`create role ${role} nologin`)
  await look.rows(`grant ${role} to plain`)
  const service = await startHere(url)
  await signIn(service)
  await service.stop()
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
  url = Object.assign(new URL(look.url), owner).href
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
  await signIn(service)
  await Promise.all([superuser.close(), shop.close()])
  await service.stop()
})
