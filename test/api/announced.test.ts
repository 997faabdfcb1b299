import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { type Instance, openInstance } from '../support/instance.ts'
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
  (await world.look.rows('select role_id::int as id from user_roles where user_id = $1', [id]))[0]!.id

/** The promise is a second; what is never announced is remembered for good. */
const soon = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 5000, interval: 50 })

test.each<[what: string, change: () => Promise<unknown>, status: number, type: string]>([
  ['a session that ends', () => boss().delete(`/users/${person.id}/sessions`), 401, 'UNAUTHENTICATED'],
  ['a person who is disabled', () => boss().put(`/users/${person.id}`, { status: 'disabled' }), 401, 'UNAUTHENTICATED'],
  [
    'a role that loses a permission',
    async () => boss().put(`/roles/${await roleOf(person)}`, { permissionIds: [] }),
    403,
    'PERMISSION_DENIED',
  ],
  [
    'a tenant that is disabled',
    () => world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' }),
    403,
    'TENANT_DISABLED',
  ],
])('%s is known to the other', async (_, change, status, type) => {
  ;(await there()).expect(200)
  await change()
  await soon(async () => (await there()).expect(status, type))
})

test('an article that is published is shown by the other', async () => {
  const visitor: Client = clientOf(other.app, { 'x-tenant-code': tenant.code })
  const shown = async () => (await visitor.get('/public/blog')).expect(200).items.map(({ title }: any) => title)
  expect(await shown()).toEqual([])
  ;(await boss().post('/content/articles', { title: 'New', status: 'published' })).expect(201)
  await soon(async () => expect(await shown()).toEqual(['New']))
})
