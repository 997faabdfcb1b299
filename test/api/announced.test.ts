import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { onEachServer } from '../support/database.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { until } from '../support/patience.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** Two processes that share the database and nothing else: what one changes, the other remembers no longer. */
let world: World
let other: Instance
let tenant: Tenant
let person: Person
beforeAll(async () => {
  world = await openWorld()
  other = await openInstance(world.databaseUrl)
})
afterAll(async () => {
  await other?.close()
  await world?.close()
})
beforeEach(async () => {
  tenant = await world.givenTenant()
  person = await world.givenUser(tenant, await world.givenRole(tenant, ['project:list']))
})
const boss = () => world.as(tenant.administrator)
const there = () => other.as(person).get('/projects')
const roleOf = async ({ id }: Person) =>
  (await world.look.rows('select role_id::float8 as id from user_roles where user_id = $1', [id]))[0]!.id

interface Announced {
  kind: string
  subject: number
  transaction: string
}
/** On a cluster a change is announced at the node where it was made. */
const announced = () =>
  onEachServer<Announced>(
    world.databaseUrl,
    'select kind, subject::float8 as subject, transaction_id::text as transaction from invalidations',
  )
const announcedSince = async (before: Announced[]) => {
  const known = new Set(before.map((row) => JSON.stringify(row)))
  const fresh = (await announced()).filter((row) => !known.has(JSON.stringify(row)))
  return fresh.map(({ kind, subject }) => ({ kind, subject }))
}

interface Change {
  what: string
  change(): Promise<unknown>
  announces: () => { kind: string; subject: number }
  status: number
  type: string
}
test.each<Change>([
  {
    what: 'a session that ends',
    change: () => boss().delete(`/users/${person.id}/sessions`),
    announces: () => ({ kind: 'user', subject: person.id }),
    ...{ status: 401, type: 'UNAUTHENTICATED' },
  },
  {
    what: 'a person who is disabled',
    change: () => boss().put(`/users/${person.id}`, { status: 'disabled' }),
    announces: () => ({ kind: 'user', subject: person.id }),
    ...{ status: 401, type: 'UNAUTHENTICATED' },
  },
  {
    what: 'a role that loses a permission',
    change: async () => boss().put(`/roles/${await roleOf(person)}`, { permissionIds: [] }),
    announces: () => ({ kind: 'roles', subject: tenant.id }),
    ...{ status: 403, type: 'PERMISSION_DENIED' },
  },
  {
    what: 'a tenant that is disabled',
    change: () => world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' }),
    announces: () => ({ kind: 'tenant', subject: tenant.id }),
    ...{ status: 403, type: 'TENANT_DISABLED' },
  },
])('$what is known to the other', async ({ change, announces, status, type }) => {
  ;(await there()).expect(200)
  const before = await announced()
  await change()
  // On a busy machine the other could know it anyway: a process that hears nothing for a moment forgets everything.
  expect(await announcedSince(before)).toContainEqual(announces())
  // The promise is a second; what is never announced is remembered for good.
  await until(async () => (await there()).expect(status, type))
})

test('an article that is published is shown by the other', async () => {
  const visitor: Client = clientOf(other.app, { 'x-tenant-code': tenant.code })
  const shown = async () => (await visitor.get('/public/blog')).expect(200).items.map(({ title }: any) => title)
  const version = async () =>
    (await world.look.rows('select content_version as v from tenants where id = $1', [tenant.id]))[0]!.v
  expect(await shown()).toEqual([])
  const before = [await announced(), Number(await version())] as const
  ;(await boss().post('/content/articles', { title: 'New', status: 'published' })).expect(201)
  expect(await announcedSince(before[0])).toContainEqual({ kind: 'tenant', subject: tenant.id })
  expect(Number(await version())).toBe(before[1] + 1)
  await until(async () => expect(await shown()).toEqual(['New']))
})
