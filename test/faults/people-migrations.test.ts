import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { createDatabase, type Inspector, openInspector } from '../support/database.ts'

/** What migrations make of people who were there before them. */
const LAST_BEFORE = '0038'
const [OPEN, CLOSED] = [7, 8]
const silent = { info() {}, warn() {}, error() {} }

let look: Inspector
let url: string
beforeAll(async () => {
  url = await createDatabase()
  look = await openInspector(url)
  const own = await knownMigrations([OWN_MIGRATIONS])
  const before = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= LAST_BEFORE))
  await migrate(url, silent, [OWN_MIGRATIONS], { restoring: before })
  for (const [tenant, registration] of [
    [OPEN, 'open'],
    [CLOSED, 'closed'],
  ] as const) {
    await look.rows(`insert into tenants (id, name, code, plan, registration) values ($1, $2, $2, 'x', $3)`, [
      tenant,
      `t${tenant}`,
      registration,
    ])
    await look.rows(
      `insert into roles (tenant_id, id, code, name) values ($1, 1, 'user', 'U'), ($1, 2, 'tenant-admin', 'A')`,
      [tenant],
    )
    await givenPerson(tenant, 1, 'old', '2020-01-01', 1)
    await givenPerson(tenant, 2, 'old administrator', '2020-01-01', 2)
    await givenPerson(tenant, 3, 'made by an administrator', '2026-02-01', 1)
    await givenPerson(tenant, 4, 'registered', '2026-02-01', 1)
    await givenPerson(tenant, 5, 'registered and promoted', '2026-02-01', 2)
    await givenAudit(tenant, 3, '/api/v1/auth/login', 200, '2026-01-01')
    for (const id of [4, 5]) {
      await givenAudit(tenant, id, '/api/v1/auth/register', 201, '2026-02-01')
      await givenAudit(tenant, id, '/api/v1/auth/login', 200, '2026-02-02')
    }
    await givenAudit(tenant, null, '/api/v1/auth/register', 409, '2026-02-01')
  }
  await migrate(url, silent, [OWN_MIGRATIONS])
})
afterAll(() => look?.close())

async function givenPerson(tenant: number, id: number, username: string, since: string, role: number) {
  await look.rows(
    `insert into users (tenant_id, id, username, password_hash, created_at) values ($1, $2, $3, '-', $4)`,
    [tenant, id, username, since],
  )
  await look.rows(`insert into user_roles (tenant_id, user_id, role_id) values ($1, $2, $3)`, [tenant, id, role])
}

async function givenAudit(tenant: number, userId: number | null, route: string, status: number, at: string) {
  await look.rows(
    `insert into audit_operations (tenant_id, request_id, user_id, method, path, route, status, duration, ip, user_agent, created_at)
     values ($1, 'r', $2, 'POST', $3, $3, $4, 1, '', '', $5)`,
    [tenant, userId, route, status, at],
  )
}

const marked = async (tenant: number) =>
  (await look.rows(`select username from users where tenant_id = $1 and self_registered order by id`, [tenant])).map(
    ({ username }) => username,
  )

describe('people who registered before the mark was there', () => {
  test('are known by the audit; of those who are older, an open tenant takes the plain users for strangers', async () => {
    expect(await marked(OPEN)).toEqual(['old', 'registered', 'registered and promoted'])
    expect(await marked(CLOSED)).toEqual(['registered', 'registered and promoted'])
  })

  test('and anyone who registers with a release that does not know the mark gets it from the audit row', async () => {
    await givenPerson(CLOSED, 6, 'late', '2026-03-01', 1)
    await givenAudit(CLOSED, 6, '/api/v1/auth/register', 201, '2026-03-01')
    await givenPerson(CLOSED, 7, 'invited', '2026-03-01', 1)
    await givenAudit(CLOSED, 7, '/api/v1/auth/login', 200, '2026-03-01')
    expect(await marked(CLOSED)).toEqual(['registered', 'registered and promoted', 'late'])
  })
})
