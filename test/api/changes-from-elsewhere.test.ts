import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** What was changed by another replica, or by an operator who announced it, holds within one second. */
let world: World
let tenant: Tenant
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
})
afterAll(() => world.close())

/** Signed in, known to the service, and busy all the while: a busy user must not keep old rights alive. */
async function busyWhile(person: Person, change: () => Promise<unknown>) {
  const client = world.as(person)
  ;(await client.get('/projects')).expect(200)
  await change()
  const changedAt = performance.now()
  while (performance.now() - changedAt < 950) {
    await client.get('/projects')
    await sleep(50)
  }
  await sleep(50)
  return client
}

describe.concurrent('within one second', () => {
  test('a user who was disabled is signed out', async () => {
    const user = await world.givenUser(tenant)
    const client = await busyWhile(user, () =>
      world.look.rows(`update users set status = 'disabled' where id = $1`, [user.id]),
    )
    ;(await client.get('/projects')).expect(401, 'UNAUTHENTICATED')
  })

  test('a user who was deleted is signed out', async () => {
    const user = await world.givenUser(tenant)
    const client = await busyWhile(user, () => world.look.rows('delete from users where id = $1', [user.id]))
    ;(await client.get('/projects')).expect(401, 'UNAUTHENTICATED')
  })

  test('a session that was ended elsewhere is over', async () => {
    const user = await world.givenUser(tenant)
    const client = await busyWhile(user, () => world.look.rows('delete from sessions where user_id = $1', [user.id]))
    ;(await client.get('/projects')).expect(401, 'UNAUTHENTICATED')
  })

  test('a role that was taken away gives no permission any more', async () => {
    const user = await world.givenUser(tenant)
    const client = await busyWhile(user, () => world.look.rows('delete from user_roles where user_id = $1', [user.id]))
    ;(await client.get('/projects')).expect(403, 'PERMISSION_DENIED')
    expect((await client.get('/auth/me')).expect(200)).toMatchObject({ roles: [], permissions: [] })
  })

  test('a permission that a role lost is lost, and one that it gained is held', async () => {
    const user = await world.givenUser(tenant, await world.givenRole(tenant, ['project:list']))
    const client = await busyWhile(user, () =>
      world.look.rows(
        `update role_permissions set permission_id = (select id from permissions where code = 'department:list')
          where role_id in (select role_id from user_roles where user_id = $1)`,
        [user.id],
      ),
    )
    ;(await client.get('/projects')).expect(403, 'PERMISSION_DENIED')
    ;(await client.get('/departments')).expect(200)
  })

  test('an administrator who is one no longer sees only their own projects', async () => {
    const owner = await world.givenUser(tenant)
    const project = await world.givenProject(owner)
    const boss = await world.givenUser(tenant, 'tenant-admin')
    const client = await busyWhile(boss, () =>
      world.look.rows(
        `update user_roles u set role_id = r.id from roles r
          where r.tenant_id = u.tenant_id and r.code = 'user' and u.tenant_id = $1 and u.user_id = $2`,
        [tenant.id, boss.id],
      ),
    )
    ;(await client.get(`/projects/${project.id}`)).expect(404)
  })

  test('a tenant that was disabled is closed to its own people', async () => {
    const closing = await world.givenTenant()
    const client = await busyWhile(closing.administrator, () =>
      world.look.rows(`update tenants set status = 'disabled' where id = $1`, [closing.id]),
    )
    ;(await client.get('/projects')).expect(403, 'TENANT_DISABLED')
    ;(await client.get('/auth/me')).expect(403, 'TENANT_DISABLED')
    ;(await client.post('/tenants', {})).expect(403, 'TENANT_DISABLED')
  })

  test('a tenant that has expired is closed to its own people', async () => {
    const closing = await world.givenTenant()
    const client = await busyWhile(closing.administrator, () =>
      world.look.rows(`update tenants set expired_at = now() + interval '500 milliseconds' where id = $1`, [
        closing.id,
      ]),
    )
    ;(await client.get('/projects')).expect(403, 'TENANT_EXPIRED')
  })

  test('a tenant that was opened again is open', async () => {
    const opening = await world.givenTenant()
    await world.look.rows(`update tenants set status = 'disabled' where id = $1`, [opening.id])
    const client = world.as(opening.administrator)
    ;(await client.get('/projects')).expect(403)
    await world.look.rows(`update tenants set status = 'active' where id = $1`, [opening.id])
    await sleep(1000)
    ;(await client.get('/projects')).expect(200)
  })
})

test('a transaction that commits late, after many later ones have committed, is not passed over', async () => {
  const user = await world.givenUser(tenant)
  const late = new pg.Client({ connectionString: world.databaseUrl })
  await late.connect()
  await late.query('begin')
  await late.query('delete from sessions where user_id = $1', [user.id])
  await late.query(`insert into invalidations (kind, subject) values ('user', $1)`, [user.id])

  const client = await busyWhile(user, async () => {
    for (let n = 0; n < 20; n++) {
      const other = await world.givenUser(tenant)
      ;(await world.as(other).get('/projects')).expect(200)
      await world.look.rows('delete from user_roles where user_id = $1', [other.id])
    }
    await late.query('commit')
  })
  await late.end()
  ;(await client.get('/projects')).expect(401, 'UNAUTHENTICATED')
})

test('expiry is the very instant, not the look-up after it', async () => {
  const closing = await world.givenTenant()
  const client = world.as(closing.administrator)
  await world.look.rows(`update tenants set expired_at = now() + interval '700 milliseconds' where id = $1`, [
    closing.id,
  ])
  ;(await client.get('/projects')).expect(200)
  await sleep(720)
  ;(await client.get('/projects')).expect(403, 'TENANT_EXPIRED')
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
