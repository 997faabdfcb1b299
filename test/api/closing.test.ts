import { describe, expect, test } from 'vitest'
import { exportAs, readArchive } from '../support/archive.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const world = await openWorld()

const close = ({ id }: { id: number }) => world.as(world.admin).post(`/tenants/${id}/close`)
const reopen = ({ id }: { id: number }) => world.as(world.admin).post(`/tenants/${id}/reopen`)
const put = ({ id }: { id: number }, patch: object) => world.as(world.admin).put(`/tenants/${id}`, patch)
const me = ({ administrator }: Tenant) => world.as(administrator).get('/auth/me')

describe('closing a tenant', () => {
  test('refuses its people, and says when it is erased; reopening takes it back', async () => {
    const tenant = await world.givenTenant()
    ;(await me(tenant)).expect(200)

    const closed = (await close(tenant)).expect(200)
    expect(closed).toMatchObject({ id: tenant.id, status: 'closing' })
    const days = (Date.parse(closed.eraseAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    ;(await me(tenant)).expect(403, 'TENANT_DISABLED')
    expect((await world.as(world.admin).get(`/tenants/${tenant.id}`)).expect(200)).toEqual(closed)

    const reopened = (await reopen(tenant)).expect(200)
    expect(reopened).toMatchObject({ status: 'active' })
    expect(reopened).not.toHaveProperty('eraseAt')
    ;(await me(tenant)).expect(200)
  })

  test('leaves it to the system administrator, who can enter and export it', async () => {
    const tenant = await world.givenTenant()
    await world.givenProject(tenant.administrator, { name: 'Kept' })
    ;(await close(tenant)).expect(200)

    const named = { 'x-tenant-code': tenant.code }
    ;(await world.as(world.admin).get('/projects', named)).expect(200)
    const archive = await readArchive((await exportAs(world.app, world.admin, named)).stream)
    expect(archive.manifest.tenant).toMatchObject({ code: tenant.code, status: 'closing' })
    expect(archive.rows('projects')).toMatchObject([{ name: 'Kept' }])
    expect((await exportAs(world.app, tenant.administrator)).status).toBe(403)
  })

  test('returns it to what it was: a disabled one is disabled again', async () => {
    const tenant = await world.givenTenant()
    ;(await put(tenant, { status: 'disabled' })).expect(200)
    ;(await close(tenant)).expect(200)
    expect((await reopen(tenant)).expect(200)).toMatchObject({ status: 'disabled' })
  })

  test('is recorded in its own log', async () => {
    const tenant = await world.givenTenant()
    const closed = (await close(tenant)).expect(200)
    ;(await reopen(tenant)).expect(200)
    const events = async () =>
      (await world.as(tenant.administrator).get('/events?types=tenant.closed,tenant.reopened'))
        .expect(200)
        .map(({ type, data }: any) => ({ type, data }))
    await expect.poll(events).toEqual([
      { type: 'tenant.closed', data: { eraseAt: closed.eraseAt } },
      { type: 'tenant.reopened', data: {} },
    ])
  })
})

/** What each command does in each state. */
const COMMANDS = {
  close,
  reopen,
  disable: (it: Tenant) => put(it, { status: 'disabled' }),
  rename: (it: Tenant) => put(it, { name: 'New' }),
}
const STATES = { active: [], disabled: [COMMANDS.disable], closing: [close] } as const
const OUTCOMES: [keyof typeof STATES, keyof typeof COMMANDS, number | string][] = [
  ['active', 'close', 200],
  ['active', 'reopen', 'TENANT_NOT_CLOSING'],
  ['active', 'disable', 200],
  ['active', 'rename', 200],
  ['disabled', 'close', 200],
  ['disabled', 'reopen', 'TENANT_NOT_CLOSING'],
  ['disabled', 'disable', 200],
  ['disabled', 'rename', 200],
  ['closing', 'close', 'TENANT_CLOSING'],
  ['closing', 'reopen', 200],
  ['closing', 'disable', 'TENANT_CLOSING'],
  ['closing', 'rename', 'TENANT_CLOSING'],
]

test.each(OUTCOMES)('a tenant that is %s: %s → %s', async (state, command, outcome) => {
  const tenant = await world.givenTenant()
  for (const step of STATES[state]) (await step(tenant)).expect(200)
  const answer = await COMMANDS[command](tenant)
  if (typeof outcome === 'number') answer.expect(outcome)
  else answer.expect(409, outcome)
})

test('what an import that was killed has left is not reopened', async () => {
  const [left] = await world.look.rows<{ id: number }>(
    `insert into tenants (name, code, plan, status, status_before, erase_at)
     values ('Half', 'half', 'team', 'closing', 'active', now() + interval '1 day') returning id::float8`,
  )
  ;(await reopen(left!)).expect(409, 'TENANT_INCOMPLETE')
  expect(await world.look.count(`select count(*) from tenants where code = 'half' and status = 'closing'`)).toBe(1)
})

test('the first tenant is never closed, and nobody else closes one', async () => {
  const tenant = await world.givenTenant()
  ;(await close({ id: 1 })).expect(409, 'RESERVED')
  ;(await close({ id: 999_999 })).expect(404, 'NOT_FOUND')
  ;(await world.as(tenant.administrator).post(`/tenants/${tenant.id}/close`)).expect(403, 'PERMISSION_DENIED')
})

test('of two who close at once one does', async () => {
  const tenant = await world.givenTenant()
  const answers = await Promise.all([close(tenant), close(tenant), close(tenant)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
})
