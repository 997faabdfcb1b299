import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { onEachServer } from '../support/database.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { inTime, until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** What was changed by another replica, or by an operator who announced it, holds within one second. */
const world = await openWorld()
const tenant = await world.givenTenant()

/**
 * Somebody is signed in, known to the service, and busy all the while: a busy user must not keep old rights alive.
 * @param holds throws until the change has come through
 */
async function expectSoon(person: Person, change: () => Promise<unknown>, holds: (client: Client) => Promise<unknown>) {
  const client = world.as(person)
  await client.read('/projects')
  await change()
  const changedAt = performance.now()
  await until(() => holds(client))
  expect(performance.now() - changedAt).toBeLessThan(inTime(1000))
  return client
}
const write = (sql: string, ...values: unknown[]) => world.look.rows(sql, values)
const refused = (status: number, type: string) => async (client: Client) =>
  (await client.get('/projects')).expect(status, type)

describe('within one second', () => {
  const HOME = '(select tenant_id from users where id = $1)'
  test.each([
    ['a user who was disabled', `update users set status = 'disabled' where id = $1`, 401, 'UNAUTHENTICATED'],
    ['a user who was deleted', 'delete from users where id = $1', 401, 'UNAUTHENTICATED'],
    ['a session that was ended elsewhere', 'delete from sessions where user_id = $1', 401, 'UNAUTHENTICATED'],
    ['a role that was taken away', 'delete from user_roles where user_id = $1', 403, 'PERMISSION_DENIED'],
    ['a disabled tenant', `update tenants set status = 'disabled' where id = ${HOME}`, 403, 'TENANT_DISABLED'],
    ['an expired tenant', `update tenants set expired_at = now() where id = ${HOME}`, 403, 'TENANT_EXPIRED'],
  ])('%s lets nobody in any more', async (_, sql, status, type) => {
    const user = await world.givenUser(await world.givenTenant())
    await expectSoon(user, () => write(sql, user.id), refused(status, type))
  })

  test('a permission that a role lost is lost, and one that it gained is held', async () => {
    const user = await world.givenUser(tenant, ['project:list'])
    const exchange = () =>
      write(
        `update role_permissions set permission_id = (select id from permissions where code = 'department:list')
          where role_id in (select role_id from user_roles where user_id = $1)`,
        user.id,
      )
    const client = await expectSoon(user, exchange, refused(403, 'PERMISSION_DENIED'))
    await client.read('/departments')
  })

  test('an administrator who is one no longer sees only their own projects', async () => {
    const project = await world.givenProject(await world.givenUser(tenant))
    const boss = await world.givenUser(tenant, 'tenant-admin')
    const demote = () =>
      write(
        `update user_roles u set role_id = r.id from roles r
          where r.tenant_id = u.tenant_id and r.code = 'user' and u.tenant_id = $1 and u.user_id = $2`,
        ...[tenant.id, boss.id],
      )
    await expectSoon(boss, demote, async (client) => (await client.get(`/projects/${project.id}`)).expect(404))
  })
})

test('a transaction that commits late, after many later ones have committed, is not passed over', async () => {
  const user = await world.givenUser(tenant)
  const late = new pg.Client({ connectionString: world.databaseUrl })
  await late.connect()
  await late.query('begin')
  await late.query('delete from sessions where user_id = $1', [user.id])
  await late.query(`insert into invalidations (kind, subject) values ('user', $1)`, [user.id])

  const commitLate = async () => {
    for (let n = 0; n < 20; n++) {
      const other = await world.givenUser(tenant)
      await world.as(other).read('/projects')
      await write('delete from user_roles where user_id = $1', other.id)
    }
    await late.query('commit')
  }
  await expectSoon(user, commitLate, refused(401, 'UNAUTHENTICATED'))
  await late.end()
})

test('expiry is the very instant, not the look-up after it', async () => {
  const { id, administrator } = await world.givenTenant()
  const client = world.as(administrator)
  const end = Date.now() + 3_600_000
  await write('update tenants set expired_at = $2 where id = $1', id, new Date(end))
  vi.useFakeTimers({ toFake: ['Date'], now: end - 1 })
  await client.read('/projects')
  vi.setSystemTime(end)
  ;(await client.get('/projects')).expect(403, 'TENANT_EXPIRED')
  vi.useRealTimers()
})

/** What was announced; on a cluster, at the node where the change was made. */
async function announced(): Promise<string[]> {
  const sql = `select kind || ' ' || subject as what, transaction_id::text as transaction from invalidations`
  const rows = await onEachServer<{ what: string; transaction: string }>(world.databaseUrl, sql)
  return rows.map(({ what, transaction }) => `${what} in ${transaction}`)
}

describe('of two processes that share the database and nothing else', () => {
  let other: Instance
  let home: Tenant
  let person: Person
  beforeAll(async () => {
    other = await openInstance(world.databaseUrl)
  })
  beforeEach(async () => {
    home = await world.givenTenant()
    person = await world.givenUser(home, ['project:list'])
  })
  const boss = () => world.as(home.administrator)
  const roleOf = async ({ id }: Person) =>
    (await world.look.rows('select role_id::float8 as id from user_roles where user_id = $1', [id]))[0]!.id
  /** On a busy machine the other could know it anyway: a process that hears nothing for a moment forgets everything. */
  async function expectAnnounced(what: string, change: () => Promise<unknown>) {
    const before = await announced()
    await change()
    const fresh = (await announced()).filter((row) => !before.includes(row))
    expect(fresh.map((row) => row.split(' in ')[0])).toContain(what)
  }

  test.each<[string, () => Promise<unknown>, () => string, number, string]>([
    [
      'that a session has ended',
      () => boss().delete(`/users/${person.id}/sessions`),
      () => `user ${person.id}`,
      ...([401, 'UNAUTHENTICATED'] as const),
    ],
    [
      'that a person is disabled',
      () => boss().put(`/users/${person.id}`, { status: 'disabled' }),
      () => `user ${person.id}`,
      ...([401, 'UNAUTHENTICATED'] as const),
    ],
    [
      'that a role has lost a permission',
      async () => boss().put(`/roles/${await roleOf(person)}`, { permissionIds: [] }),
      () => `roles ${home.id}`,
      ...([403, 'PERMISSION_DENIED'] as const),
    ],
    [
      'that a tenant is disabled',
      () => world.as(world.admin).put(`/tenants/${home.id}`, { status: 'disabled' }),
      () => `tenant ${home.id}`,
      ...([403, 'TENANT_DISABLED'] as const),
    ],
  ])('one knows %s at the very next request, and the other hears of it', async (_, change, what, status, type) => {
    for (const process of [world, other]) await process.as(person).read('/projects')
    await expectAnnounced(what(), change)
    ;(await world.as(person).get('/projects')).expect(status, type)
    // What is never announced is remembered for good.
    await until(async () => (await other.as(person).get('/projects')).expect(status, type))
  })

  test('each shows an article that the other has published', async () => {
    const visitor = clientOf(other.app, { 'x-tenant-code': home.code })
    const shown = () => visitor.list('/public/blog', 'title')
    const version = () => world.look.count('select content_version from tenants where id = $1', [home.id])
    expect(await shown()).toEqual([])
    const before = await version()
    const draft = { title: 'New', status: 'published' }
    await expectAnnounced(`tenant ${home.id}`, () => boss().create('/content/articles', draft))
    expect(await version()).toBe(before + 1)
    await until(async () => expect(await shown()).toEqual(['New']))
  })
})
