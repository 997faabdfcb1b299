import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { createDatabase, type Inspector, openInspector } from '../support/database.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { until } from '../support/patience.ts'

/** Names and codes with a second dot above an i, as releases wrote them that saw a difference. */
const LAST_BEFORE = '0118'
const TENANTS = [7, 8]
const NAMES = ['titan', 'ti\u0307tan', 'lİla', 'other']
const BEFORE = ['titan', 'ti\u0307tan', 'li\u0307la', 'other']
const silent = { info() {}, warn() {}, error() {} }

let look: Inspector
let service: Instance
beforeAll(async () => {
  const url = await createDatabase()
  look = await openInspector(url)
  const own = await knownMigrations([OWN_MIGRATIONS])
  const before = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= LAST_BEFORE))
  await migrate(url, silent, [OWN_MIGRATIONS], { restoring: before })
  for (const tenant of TENANTS) {
    await look.rows(`insert into tenants (id, name, code, plan) values ($1, $2, $2, 'x')`, [tenant, `t${tenant}`])
    for (const [at, name] of NAMES.entries()) await givenRows(tenant, at + 1, name, BEFORE[at]!)
  }
  const { role } = await migrate(url, silent, [OWN_MIGRATIONS])
  service = await openInstance(url, { role })
})
afterAll(async () => {
  await service?.close()
  await look?.close()
})

async function givenRows(tenant: number, id: number, name: string, skeleton: string) {
  for (const insert of [
    `insert into users (tenant_id, id, username, nickname, password_hash, look, skeleton, nickname_skeleton) values ($1, $2, $3, $3, '-', $4, $4, $4)`,
    `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at, code_skeleton) values ($1, $2, 'P', $3, 1, now(), now(), $4)`,
    `insert into departments (tenant_id, id, name, code, created_at, updated_at, code_skeleton) values ($1, $2, 'D', $3, now(), now(), $4)`,
    `insert into categories (tenant_id, id, name, slug, created_at, updated_at, name_skeleton, slug_skeleton) values ($1, $2, $3, $3, now(), now(), $4, $4)`,
  ])
    await look.rows(insert, [tenant, id, name, skeleton])
}

test.each([
  ['users', 'username', 'skeleton'],
  ['projects', 'code', 'code_skeleton'],
  ['departments', 'code', 'code_skeleton'],
  ['categories', 'name', 'name_skeleton'],
  ['categories', 'slug', 'slug_skeleton'],
])('%s keep their %s, and a %s is that of the name without the dot, unless another row has it', async (...columns) => {
  const [table, name, skeleton] = columns
  await until(async () => expect(await look.count(`select count(*) from ${table} where ${skeleton} is null`)).toBe(0))
  for (const tenant of TENANTS) {
    const rows = await look.rows(
      `select ${name} as name, ${skeleton} as skeleton from ${table} where tenant_id = $1 order by id`,
      [tenant],
    )
    expect(rows.map((row) => row.name)).toEqual(NAMES)
    expect(rows.map((row) => row.skeleton)).toEqual(['titan', expect.stringContaining('\u0001'), 'lila', 'other'])
  }
})

test('nicknames follow, of which several may be alike', async () => {
  for (const tenant of TENANTS) {
    const rows = await look.rows('select nickname_skeleton as skeleton from users where tenant_id = $1 order by id', [
      tenant,
    ])
    expect(rows.map((row) => row.skeleton)).toEqual(['titan', 'titan', 'lila', 'other'])
  }
})
