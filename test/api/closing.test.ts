import { expect, test } from 'vitest'
import { EVENTS } from '../support/event-rows.ts'
import { openWorld, type Tenant } from '../support/world.ts'

const world = await openWorld()

const close = ({ id }: { id: number }) => world.as(world.admin).post(`/tenants/${id}/close`)
const reopen = ({ id }: { id: number }) => world.as(world.admin).post(`/tenants/${id}/reopen`)
const put = ({ id }: { id: number }, patch: object) => world.as(world.admin).put(`/tenants/${id}`, patch)
const me = ({ administrator }: Tenant) => world.as(administrator).get('/auth/me')

test('closing a tenant refuses its people, and says when it is erased; reopening takes it back', async () => {
  const tenant = await world.givenTenant()
  ;(await me(tenant)).expect(200)

  const closed = (await close(tenant)).expect(200)
  expect(closed).toMatchObject({ id: tenant.id, status: 'closing' })
  const days = (Date.parse(closed.eraseAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30.1)
  ;(await me(tenant)).expect(403, 'TENANT_DISABLED')
  expect(await world.as(world.admin).read(`/tenants/${tenant.id}`)).toEqual(closed)
  // The system administrator can enter it.
  await world.as(world.admin).read('/projects', { 'x-tenant-code': tenant.code })

  const reopened = (await reopen(tenant)).expect(200)
  expect(reopened).toMatchObject({ status: 'active' })
  expect(reopened).not.toHaveProperty('eraseAt')
  ;(await me(tenant)).expect(200)
  const events = await world.look.rows(
    `select type, data from ${EVENTS}
      where tenant_id = $1 and type in ('tenant.closed', 'tenant.reopened') order by occurred_at`,
    [tenant.id],
  )
  expect(events).toEqual([
    { type: 'tenant.closed', data: { eraseAt: closed.eraseAt } },
    { type: 'tenant.reopened', data: {} },
  ])
})

test('a disabled tenant that is closed and reopened is disabled again', async () => {
  const tenant = await world.givenTenant()
  ;(await put(tenant, { status: 'disabled' })).expect(200)
  ;(await close(tenant)).expect(200)
  expect((await reopen(tenant)).expect(200)).toMatchObject({ status: 'disabled' })
})

/** What each command does in each state. */
const COMMANDS = {
  close,
  reopen,
  disable: (it: Tenant) => put(it, { status: 'disabled' }),
  rename: (it: Tenant) => put(it, { name: 'New' }),
}
const STATES = { active: [], disabled: [COMMANDS.disable], closing: [close] } as const
const OUTCOMES: Record<keyof typeof STATES, Record<keyof typeof COMMANDS, number | string>> = {
  active: { close: 200, reopen: 'TENANT_NOT_CLOSING', disable: 200, rename: 200 },
  disabled: { close: 200, reopen: 'TENANT_NOT_CLOSING', disable: 200, rename: 200 },
  closing: { close: 'TENANT_CLOSING', reopen: 200, disable: 'TENANT_CLOSING', rename: 'TENANT_CLOSING' },
}
const states = Object.keys(OUTCOMES) as (keyof typeof STATES)[]

test.each(states)('what each command does to a tenant that is %s', async (state) => {
  for (const command of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) {
    const tenant = await world.givenTenant()
    for (const step of STATES[state]) (await step(tenant)).expect(200)
    const { status, error } = await COMMANDS[command](tenant)
    expect([command, error?.type ?? status]).toEqual([command, OUTCOMES[state][command]])
  }
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
