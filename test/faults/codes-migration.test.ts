import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { knownMigrations, OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { createDatabase, type Inspector, openInspector } from '../support/database.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { until } from '../support/patience.ts'

/** Codes that looked alike before the release in which no two do. */
const LAST_BEFORE = '0099'
const TENANTS = [7, 8]
const silent = { info() {}, warn() {}, error() {} }
const COLUMNS = [
  ['projects', 'code', 'code_skeleton'],
  ['departments', 'code', 'code_skeleton'],
  ['categories', 'name', 'name_skeleton'],
  ['categories', 'slug', 'slug_skeleton'],
] as const
const ALIKE = ['Tech', 'TECH', 'Tеch', 'News', 'tech']

let look: Inspector
let service: Instance
beforeAll(async () => {
  const url = await createDatabase()
  look = await openInspector(url)
  const own = await knownMigrations([OWN_MIGRATIONS])
  const before = new Set(own.map(({ name }) => name).filter((name) => name.slice(0, 4) <= LAST_BEFORE))
  await migrate(url, silent, [OWN_MIGRATIONS], { restoring: before })
  for (const tenant of TENANTS) await givenCodes(tenant)
  const { role } = await migrate(url, silent, [OWN_MIGRATIONS])
  service = await openInstance(url, { role })
})
afterAll(async () => {
  await service?.close()
  await look?.close()
})

async function givenCodes(tenant: number) {
  await look.rows(`insert into tenants (id, name, code, plan) values ($1, $2, $2, 'x')`, [tenant, `t${tenant}`])
  await look.rows(`insert into users (tenant_id, id, username, password_hash) values ($1, 1, 'ada', '-')`, [tenant])
  for (const [at, code] of ALIKE.entries()) {
    await look.rows(
      `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at) values ($1, $2, 'P', $3, 1, now(), now())`,
      [tenant, at + 1, code],
    )
    await look.rows(
      `insert into departments (tenant_id, id, name, code, created_at, updated_at) values ($1, $2, 'D', $3, now(), now())`,
      [tenant, at + 1, code],
    )
    await look.rows(
      `insert into categories (tenant_id, id, name, slug, created_at, updated_at) values ($1, $2, $3, $3, now(), now())`,
      [tenant, at + 1, code],
    )
  }
}

test.each(COLUMNS)(
  '%s of before keep their %s, and the oldest of those that look alike has the %s',
  async (...column) => {
    const [table, code, skeleton] = column
    const unsettled = `select count(*) from ${table} where ${skeleton} is null`
    await until(async () => expect(await look.count(unsettled)).toBe(0))
    for (const tenant of TENANTS) {
      const rows = await look.rows(
        `select ${code} as code, ${skeleton} as skeleton from ${table} where tenant_id = $1 order by id`,
        [tenant],
      )
      const nobodys = expect.stringContaining('\u0001')
      expect(rows.map((row) => row.code)).toEqual(ALIKE)
      expect(rows.map((row) => row.skeleton)).toEqual(['tech', nobodys, nobodys, 'news', nobodys])
    }
  },
)
