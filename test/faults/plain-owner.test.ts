import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceRoleOf } from '../../src/data/setup/service-role.ts'
import type { Service } from '../../src/serve.ts'
import { startService } from '../../src/start.ts'
import { testConfig } from '../support/config.ts'
import { type Inspector, openInspector } from '../support/database.ts'
import { inTime } from '../support/patience.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/postgres.ts'
import { openRemote } from '../support/remote.ts'

/** A database whose owner may not make roles, on a server that nobody has prepared for the service. */
let postgres: OwnPostgres
let look: Inspector
let url: string
let role: string
beforeAll(async () => {
  postgres = await startOwnPostgres({ durable: false })
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

let service: Service | undefined
const start = async (env: Record<string, string> = {}) => {
  service = await startService(testConfig(env), url, pino({ level: 'silent' }))
  return service
}
afterAll(() => service?.stop())

test('the service works as the owner, who has given up to change or remove what was written for good', async () => {
  const { port } = await start()
  const remote = openRemote(port)
  const pair = (await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(200)
  ;(await remote.as(pair.accessToken).put('/notifications/read-all')).expect(200)
  expect(await look.count('select count(*) from audit_operations where status = 200')).toBe(2)
  for (const verb of ['update', 'delete', 'truncate'])
    expect(await look.rows(`select has_table_privilege('plain', 'audit_operations', '${verb}') as may`)).toEqual([
      { may: false },
    ])
  remote.close()
  await service!.stop()
})

test('so it cannot remove old audit rows either, and says before the start what would be needed', async () => {
  const message = await start({ AUDIT_RETENTION_DAYS: '30' }).catch((error) => error.message)
  expect(message).toMatch(
    /^The configuration is not valid:\n {2}AUDIT_RETENTION_DAYS: needs a role for the service, which works as plain/,
  )
})

test('and it goes on so where a superuser makes the role afterwards', async () => {
  await look.rows(`create role ${role} nologin`)
  await look.rows(`grant ${role} to plain`)
  const remote = openRemote((await start()).port)
  ;(await remote.as().post('/auth/login', { username: 'admin', password: 'admin123' })).expect(200)
  remote.close()
  await service!.stop()
})

test('where a superuser has made the role before the first start, it can', async () => {
  const database = await postgres.createDatabase()
  role = serviceRoleOf(new URL(database).pathname.slice(1))
  await look.rows(`create role ${role} nologin`)
  await look.rows(`grant ${role} to plain`)
  await look.rows(`alter database ${new URL(database).pathname.slice(1)} owner to plain`)
  url = Object.assign(new URL(database), { username: 'plain', password: 'plain' }).href
  await start({ AUDIT_RETENTION_DAYS: '30' })

  const [superuser, plain] = [await openInspector(database), await openInspector(url)]
  await superuser.rows(
    `insert into audit_operations (tenant_id, request_id, method, path, route, status, duration, ip, user_agent, created_at)
     select 1, 'r', 'PUT', '/', '/', 200, 1, '', '', now() - (5 - n) * interval '20 days' from generate_series(1, 4) n`,
  )
  // Rows that have no link in the chain yet are kept.
  const left = async () => {
    await plain.rows(
      `begin; set local role ${role}; set local app.tenant_id = '1'; select prune_audit(30, 1000); commit`,
    )
    return superuser.count(`select count(*) from audit_operations where request_id = 'r'`)
  }
  await expect.poll(left, { timeout: inTime(20_000), interval: 500 }).toBe(1)
  await Promise.all([superuser.close(), plain.close()])
})
