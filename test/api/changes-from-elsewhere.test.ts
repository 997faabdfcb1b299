import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import type { Client } from '../support/client.ts'
import { inTime, until } from '../support/patience.ts'
import { openWorld, type Person } from '../support/world.ts'

/** What was changed by another replica, or by an operator who announced it, holds within one second. */
const world = await openWorld()
const tenant = await world.givenTenant()

/**
 * Somebody is signed in, known to the service, and busy all the while: a busy user must not keep old rights alive.
 * @param holds throws until the change has come through
 */
async function expectSoon(person: Person, change: () => Promise<unknown>, holds: (client: Client) => Promise<unknown>) {
  const client = world.as(person)
  ;(await client.get('/projects')).expect(200)
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
  test.each([
    ['a user who was disabled is signed out', `update users set status = 'disabled' where id = $1`],
    ['a user who was deleted is signed out', 'delete from users where id = $1'],
    ['a session that was ended elsewhere is over', 'delete from sessions where user_id = $1'],
  ])('%s', async (_, sql) => {
    const user = await world.givenUser(tenant)
    await expectSoon(user, () => write(sql, user.id), refused(401, 'UNAUTHENTICATED'))
  })

  test('a role that was taken away gives no permission any more', async () => {
    const user = await world.givenUser(tenant)
    const takeAway = () => write('delete from user_roles where user_id = $1', user.id)
    const client = await expectSoon(user, takeAway, refused(403, 'PERMISSION_DENIED'))
    expect((await client.get('/auth/me')).expect(200)).toMatchObject({ roles: [], permissions: [] })
  })

  test('a permission that a role lost is lost, and one that it gained is held', async () => {
    const user = await world.givenUser(tenant, await world.givenRole(tenant, ['project:list']))
    const exchange = () =>
      write(
        `update role_permissions set permission_id = (select id from permissions where code = 'department:list')
          where role_id in (select role_id from user_roles where user_id = $1)`,
        user.id,
      )
    const client = await expectSoon(user, exchange, refused(403, 'PERMISSION_DENIED'))
    ;(await client.get('/departments')).expect(200)
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

  test('a tenant that was disabled is closed to its own people, and open when it was opened again', async () => {
    const { id, administrator } = await world.givenTenant()
    const setStatus = (status: string) => write('update tenants set status = $2 where id = $1', id, status)
    const client = await expectSoon(administrator, () => setStatus('disabled'), refused(403, 'TENANT_DISABLED'))
    ;(await client.get('/auth/me')).expect(403, 'TENANT_DISABLED')
    ;(await client.post('/tenants', {})).expect(403, 'TENANT_DISABLED')
    await setStatus('active')
    await until(async () => (await client.get('/projects')).expect(200))
  })

  test('a tenant that has expired is closed to its own people', async () => {
    const { id, administrator } = await world.givenTenant()
    const expire = () => write('update tenants set expired_at = now() where id = $1', id)
    await expectSoon(administrator, expire, refused(403, 'TENANT_EXPIRED'))
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
      ;(await world.as(other).get('/projects')).expect(200)
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
  ;(await client.get('/projects')).expect(200)
  vi.setSystemTime(end)
  ;(await client.get('/projects')).expect(403, 'TENANT_EXPIRED')
  vi.useRealTimers()
})

test('what the service itself changes holds at the very next request', async () => {
  const closing = await world.givenTenant()
  const system = world.as(world.admin)
  ;(await world.as(closing.administrator).get('/projects')).expect(200)
  ;(await system.put(`/tenants/${closing.id}`, { status: 'disabled' })).expect(200)
  ;(await world.as(closing.administrator).get('/projects')).expect(403, 'TENANT_DISABLED')
  ;(await system.put(`/tenants/${closing.id}`, { status: 'active' })).expect(200)
  ;(await world.as(closing.administrator).get('/projects')).expect(200)
  expect(closing.id).toBeGreaterThan(1)
})
