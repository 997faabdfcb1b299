import { beforeAll, describe, expect, test } from 'vitest'
import { openBrowser } from '#test/browser.ts'
import { type Answer, type Client, clientOf, withoutChance } from '#test/client.ts'
import { isHere } from '#test/plugins.ts'
import { lendProvider } from '#test/provider.ts'
import { startAddress } from '#test/provider-steps.ts'
import { listWalked, type Route } from '#test/routes.ts'
import { addressOf, kindsIn, sampleOf, seedTenant } from '#test/samples.ts'
import { openWorld } from '#test/world.ts'
import { grantsOf } from '../../../kernel/access.ts'
import { drawToken, hashToken } from '../../../util/secrets/token.ts'

/**
 * A narrowed key is nobody's administrator, though its account is one: what it may do is its permissions, in every
 * question that is asked of it, and it changes nothing of its account.
 */
const EVERYTHING = grantsOf('tenant-admin')
/** The notifications of an account show what its roles see. */
const NEWS = ['/notifications', '/notifications/unread-count', '/notifications/stream']
/** Each caller's own, or different with every request: only the status is compared. */
const CHANGING = ['/users/me', '/audit/operations', '/events', '/monitor/server', '/tenant/export', '/tenant/usage']

const routes = (await listWalked()).filter(({ access }) => access !== 'anyone')
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const demandsNothing = ({ method, path, access }: Route) =>
  access === 'signed-in' && method === 'GET' && !path.startsWith('/auth/') && !NEWS.includes(path)

let counter = 0
const world = await openWorld()
const home = await seedTenant(world, await world.givenTenant(), 'of-colleagues')
const boss = world.as(home.tenant.administrator)
/** the account of all keys: an administrator */
const account = await givenAccount('tenant-admin')
const [nothing, everything, whole] = [await givenKey([]), await givenKey(EVERYTHING), await givenKey(null)]

async function givenAccount(code: string): Promise<{ id: number }> {
  const draft = { name: `System ${++counter}`, roleIds: [await world.roleId(home.tenant, code)] }
  return (await boss.post('/service-accounts', draft)).expect(201)
}

/** A client with a key of the administrators' account. */
async function givenKey(permissions: readonly string[] | null): Promise<Client> {
  const { key } = (await boss.post(`/service-accounts/${account.id}/keys`, { name: 'K', permissions })).expect(201)
  return clientOf(world.app, { authorization: `Bearer ${key}` })
}

/** A good request, but for the right to send it. @param id what its path names, in place of what the tenant has */
async function send(client: Client, route: Route, id?: number): Promise<Answer> {
  const all: Record<string, number | string> = home.ids
  const { body, query } = sampleOf(route)
  const ids = kindsIn(route).map((kind) => id ?? all[kind] ?? 1)
  return client.send({
    method: route.method,
    url: `/api/v1${addressOf(route, ids, query, all)}`,
    headers: { 'idempotency-key': `narrow-${++counter}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { payload: JSON.stringify(body) }),
  })
}

/** All that is stored of the account, without when its keys were used. */
async function stateOfAccount(): Promise<string> {
  const tables = await world.look.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'user_id' and table_name not like 'audit%' order by 1`,
  )
  const of = ({ name }: { name: string }, column = 'user_id') =>
    world.look.rows(`select to_jsonb(t) - 'last_used_at' as row from ${name} t where ${column} = $1 order by 1`, [
      account.id,
    ])
  return JSON.stringify(await Promise.all([of({ name: 'users' }, 'id'), ...tables.map((table) => of(table))]))
}

describe('without the permission that it demands', () => {
  let before: string
  beforeAll(async () => {
    before = await stateOfAccount()
  })

  test.each(routes.filter((route) => !demandsNothing(route)).map((route) => [nameOf(route), route] as const))(
    '%s refuses a narrowed key',
    async (_, route) => {
      const others = EVERYTHING.filter((permission) => permission !== route.access)
      const lacking = others.length < EVERYTHING.length ? await givenKey(others) : everything
      const status = route.path.startsWith('/auth/') ? 401 : 403
      for (const client of [nothing, lacking]) expect((await send(client, route)).status).toBe(status)
    },
  )

  test('nothing of the account has changed, but for its keys', async () => {
    const withoutKeys = (state: string) => JSON.parse(state).filter((rows: any[]) => !rows[0]?.row.key_hash)
    expect(withoutKeys(await stateOfAccount())).toEqual(withoutKeys(before))
  })
})

describe('a key reads what a person reads who holds just its permissions', () => {
  const essence = ({ status, body }: Answer, { path }: Route) =>
    status === 200 && CHANGING.includes(path) ? status : [status, withoutChance(body)]
  const reads = routes.filter(({ method, path, access }) => {
    const isOurs = method === 'GET' && !path.startsWith('/auth/') && !access.startsWith('system:')
    return isOurs && !NEWS.includes(path)
  })
  let alike: [key: Client, person: Client][]
  beforeAll(async () => {
    const withNothing = await world.givenUser(home.tenant, await world.givenRole(home.tenant, []))
    const withEverything = await world.givenUser(home.tenant, await world.givenRole(home.tenant, EVERYTHING))
    const administrator = await world.givenUser(home.tenant, 'tenant-admin')
    alike = [
      [nothing, world.as(withNothing)],
      [everything, world.as(withEverything)],
      [whole, world.as(administrator)],
    ]
    // Else the list of keys would change in between.
    await world.look.rows('update api_keys set last_used_at = now() where user_id = $1', [account.id])
  })

  test.each(reads.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    for (const [key, person] of alike)
      expect(essence(await send(key, route), route)).toEqual(essence(await send(person, route), route))
  })
})

describe('the account behind a key', () => {
  const own = routes.filter(
    ({ method, path }) =>
      method !== 'GET' && (/^\/users\/(me|:id)(\/|$)/.test(path) || /^\/service-accounts\/:id$/.test(path)),
  )

  test.each(own.map((route) => [nameOf(route), route] as const))('%s does not change it', async (_, route) => {
    const before = await stateOfAccount()
    for (const client of [nothing, everything, whole])
      expect([403, 404]).toContain((await send(client, route, account.id)).status)
    expect(await stateOfAccount()).toBe(before)
  })

  test.skipIf(!isHere('calendar'))('has no calendar any more, if a key made one before', async () => {
    const address = async (userId: number) => {
      const token = drawToken(home.tenant.id)
      await world.look.rows('insert into calendar_keys (tenant_id, user_id, key_hash) values ($1, $2, $3)', [
        home.tenant.id,
        userId,
        hashToken(token),
      ])
      return `/calendar/${token}.ics`
    }
    ;(await world.anyone.get(await address(home.member.id))).expect(200)
    ;(await world.anyone.get(await address(account.id))).expect(404, 'NOT_FOUND')
  })
})

describe('what administrators alone may', () => {
  /** A request of the tenant that waits for a decision. */
  const givenRequest = async (): Promise<number> => {
    const draft = { title: 'A secret day', payload: 'private' }
    return (await world.givenRequest(home.member, { id: home.ids.departments as number }, draft)).id
  }

  test('a key that sees the dashboard reads no request of anybody', async () => {
    const id = await givenRequest()
    const key = await givenKey(['dashboard:view'])
    for (const query of ['', '?scope=all', '?scope=todo', '?scope=mine', '?keyword=secret'])
      expect((await key.get(`/approvals${query}`)).expect(200)).toEqual([])
    ;(await key.get(`/approvals/${id}`)).expect(404, 'NOT_FOUND')
    expect((await whole.get('/approvals')).expect(200)).toContainEqual(expect.objectContaining({ id }))
  })

  test('a key that decides requests decides none for the administrators, and passes none on', async () => {
    const id = await givenRequest()
    const key = await givenKey(['approval:action'])
    ;(await world.as(home.outsider).post(`/approvals/${id}/approve`)).expect(200)
    ;(await key.post(`/approvals/${id}/approve`)).expect(404, 'NOT_FOUND')
    ;(await key.post(`/approvals/${id}/reassign`, { userId: home.member.id })).expect(403, 'PERMISSION_DENIED')
    ;(await whole.post(`/approvals/${id}/approve`)).expect(200)
  })

  test('a key that lists projects sees those of its account, and no file of others', async () => {
    const key = await givenKey(['project:list'])
    expect((await key.get('/projects')).expect(200)).toEqual([])
    const project = await world.givenProject(home.member)
    ;(await world.as(home.member).put(`/projects/${project.id}/members/${account.id}`)).expect(200)
    expect((await key.get('/projects')).expect(200)).toMatchObject([{ id: project.id }])
    expect((await whole.get('/projects')).expect(200).length).toBeGreaterThan(1)
  })

  test.skipIf(!isHere('identity-provider', 'invitations'))(
    'a key of the settings names a provider that brings nobody into an invitation',
    async () => {
      const provider = await lendProvider()
      const { client } = provider
      const email = 'pending@example.com'
      provider.account = { sub: 'attacker', email, email_verified: true }
      const roleIds = [await world.roleId(home.tenant, 'tenant-admin')]
      ;(await boss.post('/invitations', { email, roleIds })).expect(201)
      const arrive = () => openBrowser(world.app).follow(startAddress(home.tenant.code))

      ;(await (await givenKey(['settings:manage'])).put('/tenant/identity-provider', client)).expect(200)
      expect(await arrive()).toMatch(/#error=ACCOUNT_NOT_FOUND$/)

      ;(await boss.put('/tenant/identity-provider', client)).expect(200)
      expect(await arrive()).toMatch(/#code=/)
    },
  )

  test('a key of everything gives nobody the role of an administrator, and takes it from nobody', async () => {
    const roleIds = [await world.roleId(home.tenant, 'tenant-admin')]
    const draft = { username: `boss-${++counter}`, password: 'a good long password', roleIds }
    const { administrator } = home.tenant
    for (const refused of [
      everything.post('/users', draft),
      ...(isHere('invitations') ? [everything.post('/invitations', { email: 'climber@example.com', roleIds })] : []),
      everything.post('/service-accounts', { name: 'Climber', roleIds }),
      everything.put(`/users/${home.outsider.id}`, { roleIds }),
      everything.put(`/users/${administrator.id}`, { status: 'disabled' }),
      ...(isHere('identity-provider')
        ? [everything.put('/tenant/identity-provider', { groupsClaim: 'g', groupRoles: { g: 'tenant-admin' } })]
        : []),
    ])
      (await refused).expect(403, 'PERMISSION_DENIED')
  })

  test('a key that changes people reads what they are responsible for without its names', async () => {
    await world.givenProject(home.outsider, { name: 'A secret project' })
    const path = `/users/${home.outsider.id}/responsibilities`
    const names = async (client: Client) =>
      Object.values((await client.get(path)).expect(200) as Record<string, { name: string }[]>).flatMap((held) =>
        held.map(({ name }) => name),
      )
    expect(await names(whole)).toContain('A secret project')
    expect(new Set(await names(await givenKey(['user:update'])))).toEqual(new Set(['']))
  })

  test('a key makes keys of its own account that are as narrow, and of no other that may do more', async () => {
    const key = await givenKey(['key:manage', 'project:list'])
    const draft = { name: 'N', permissions: ['project:list'] }
    ;(await key.post(`/service-accounts/${account.id}/keys`, draft)).expect(201)
    for (const other of [await givenAccount('tenant-admin'), await givenAccount('user')])
      (await key.post(`/service-accounts/${other.id}/keys`, draft)).expect(403, 'PERMISSION_DENIED')
  })

  test('a key shows the menus of no role', async () => {
    expect((await everything.get('/menus')).expect(200)).toEqual([])
    expect((await whole.get('/menus')).expect(200)).not.toEqual([])
  })
})
