import { describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { grantsOf } from '../../src/kernel/access.ts'
import { openWorld, type Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

let counter = 0
const system = () => world.as(world.admin)
const givenMenu = (draft: object = {}) => system().create('/menus', { name: `Menu ${++counter}`, ...draft })
const tree = (by: Person = world.admin) => world.as(by).read('/menus/tree')
const mine = (person: Person) => world.as(person).read('/menus')
/** The menus of a tree, one after the other. */
const flat = (menus: any[]): any[] => menus.flatMap((menu) => [menu, ...flat(menu.children)])
const ids = (menus: any[]) => flat(menus).map(({ id }) => id)
const silent = { info() {}, warn() {}, error() {} }

describe('the menus that are there from the start', () => {
  test('form a tree: directories over pages over buttons, in order', async () => {
    const menus = await tree()
    const home = { name: 'Home', path: '/home', component: '/home/index', icon: 'HomeOutlined', sort: 1, visible: true }
    const place = { parentId: 0, permission: null, type: 'menu', children: [] }
    expect(menus[0]).toEqual({ ...home, ...place, id: expect.any(Number) })
    const systemMenus = menus.find(({ path }: any) => path === '/system')
    expect(systemMenus).toMatchObject({ type: 'directory', component: null })
    const users = systemMenus.children.find(({ path }: any) => path === '/system/user')
    expect(users).toMatchObject({ parentId: systemMenus.id, permission: 'user:list' })
    const buttons = ['create', 'update', 'delete'].map((verb) => ({ type: 'button', permission: `user:${verb}` }))
    expect(users.children).toMatchObject(buttons)
  })

  test('are all for the system administrator in any tenant, whole in the tree of who holds menu:list, and for others those that their permissions open', async () => {
    const all = await tree()
    expect(await mine(world.admin)).toEqual(all)
    expect(await system().read('/menus', { 'x-tenant-code': tenant.code })).toEqual(all)
    const reader = await world.givenUser(tenant, ['menu:list'])
    expect(await tree(reader)).toEqual(all)
    const ours = flat(all).filter(({ permission }) => !permission || grantsOf('tenant-admin').includes(permission))
    expect(ids(await mine(boss))).toEqual(ours.map(({ id }) => id))
    const seen = flat(await mine(await world.givenUser(tenant)))
    const open = flat(all).filter(({ permission }) => permission === null || grantsOf('user').includes(permission))
    expect(seen.map(({ id }) => id)).toEqual(open.map(({ id }) => id))
  })

  test('reach, after another start, tenants that are older, and are not written over what was changed or deleted', async () => {
    const own = await openWorld()
    const startAgain = () => migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
    const company = await own.givenTenant()
    const custom = await own.givenUser(company, ['user:list'])
    const people = [own.admin, company.administrator, await own.givenUser(company), custom]
    const names = async () =>
      Promise.all(people.map(async (who) => flat(await own.as(who).read('/menus')).map(({ name }) => name)))
    const before = await names()
    await own.look.rows('truncate menus restart identity cascade')
    expect(await names()).toEqual([[], [], [], []])
    await startAgain()
    expect(await names()).toEqual(before)
    expect(before[3]).toEqual([])

    const admin = own.as(own.admin)
    const written = await admin.read('/menus/tree')
    ;(await admin.put(`/menus/${written[0].id}`, { name: 'Start' })).expect(200)
    ;(await admin.delete(`/menus/${written.at(-1).id}`)).expect(200)
    await startAgain()
    const after = await admin.read('/menus/tree')
    expect(after).toEqual([{ ...written[0], name: 'Start' }, ...written.slice(1, -1)])
  })
})

describe('my menus', () => {
  test('are those of all my roles, and those on the way to them', async () => {
    const top = await givenMenu({ type: 'directory', sort: 900 })
    const middle = await givenMenu({ type: 'directory', parentId: top.id })
    const [one, two] = [await givenMenu({ parentId: middle.id }), await givenMenu({ parentId: middle.id, sort: -1 })]
    await givenMenu({ parentId: middle.id })
    const roles = await Promise.all(
      [one, two].map((menu) =>
        world.as(boss).create('/roles', { code: `see-${menu.id}`, name: 'See', menuIds: [menu.id] }),
      ),
    )
    const person = await world.givenUser(tenant, [])
    expect(await mine(person)).toEqual([])
    ;(await world.as(boss).put(`/users/${person.id}`, { roleIds: roles.map(({ id }) => id) })).expect(200)
    expect(await mine(person)).toEqual([{ ...top, children: [{ ...middle, children: [two, one] }] }])
  })

  test('show nobody what they may not enter', async () => {
    const all = flat(await tree())
    const menuIds = all.map(({ id }) => id)
    const { id } = await world.as(boss).create('/roles', { code: 'sees-all', name: 'Sees all', menuIds })
    const person = await world.givenUser(tenant, ['user:create', 'log:view'])
    const held = (await world.as(boss).read(`/users/${person.id}`)).roles[0]
    const [{ id: own }] = (await world.as(boss).read(`/roles?keyword=${held}`)).items
    ;(await world.as(boss).put(`/users/${person.id}`, { roleIds: [own, id] })).expect(200)

    const seen = flat(await mine(person)).map(({ path, permission }) => path ?? permission)

    expect(seen).toEqual(expect.arrayContaining(['/monitor', '/monitor/server', '/home']))
    // A button of theirs lies in a page that is none of theirs; and so nothing is left of its directory.
    for (const closed of ['user:create', '/system/user', '/system', '/enterprise/tenants', '/content'])
      expect(seen).not.toContain(closed)
  })

  test('show the menus of the system to nobody who only holds the permission', async () => {
    const role = await world.givenRole({ id: 1 }, ['tenant:list', 'menu:list', 'menu:create'])
    const [{ id }] = (await system().read(`/roles?keyword=${role}`)).items
    const menuIds = flat(await tree()).map((menu) => menu.id)
    ;(await system().put(`/roles/${id}`, { menuIds })).expect(200)
    const seen = flat(await mine(await world.givenUser({ id: 1 }, role))).map(
      ({ path, permission }) => path ?? permission,
    )
    expect(seen).toContain('/system/menu')
    for (const closed of ['/enterprise/tenants', 'menu:create']) expect(seen).not.toContain(closed)
  })
})

describe('a menu', () => {
  test('is made by the system administrator, who sees it immediately', async () => {
    const look = { path: '/reports', component: '', icon: 'X', sort: 7, visible: false }
    const draft = { ...look, name: ' Reports ', permission: 'report:view', type: 'menu' }
    const answer = await system().post('/menus', draft)
    const menu = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/menus/${menu.id}`)
    expect(menu).toEqual({ ...draft, id: menu.id, parentId: 0, name: 'Reports', children: [] })
    expect(await system().read(`/menus/${menu.id}`)).toEqual(menu)
    expect(ids(await mine(world.admin))).toContain(menu.id)
    expect(ids(await mine(boss))).not.toContain(menu.id)
    const bare = { parentId: 0, path: null, sort: 0, visible: true, permission: null, type: 'menu' }
    expect(await givenMenu({ name: 'Bare', parentId: null })).toMatchObject(bare)
  })

  test('is changed in what is sent, and moved with all that lies below it', async () => {
    const [here, there] = [await givenMenu(), await givenMenu({ path: '/there' })]
    const moved = await givenMenu({ parentId: here.id, path: '/moved', permission: 'log:view', sort: 3 })
    const below = await givenMenu({ parentId: moved.id })
    const put = async (patch: object) => (await system().put(`/menus/${moved.id}`, patch)).expect(200)
    const whole = { ...moved, children: [below] }
    expect(await put({})).toEqual(whole)
    expect(await put({ name: 'Moved', permission: null })).toEqual({ ...whole, name: 'Moved', permission: null })
    const kept = { parentId: there.id, name: 'Moved', path: '/moved', sort: 3 }
    expect(await put({ parentId: there.id })).toMatchObject(kept)
    const { children } = await system().read(`/menus/${there.id}`)
    expect(children).toMatchObject([{ id: moved.id, children: [{ id: below.id }] }])
    expect(await put({ parentId: 0 })).toMatchObject({ parentId: 0, children: [{ id: below.id }] })
    for (const parentId of [moved.id, below.id])
      (await system().put(`/menus/${moved.id}`, { parentId })).expect(409, 'MENU_CYCLE')
    ;(await system().put(`/menus/${moved.id}`, { parentId: 999_999 })).expect(404, 'NOT_FOUND')
    ;(await system().post('/menus', { name: 'x', parentId: 999_999 })).expect(404, 'NOT_FOUND')
  })

  test('is deleted only with nothing below it, and then from the roles of every tenant', async () => {
    const menu = await givenMenu()
    const below = await givenMenu({ parentId: menu.id })
    const { details } = (await system().delete(`/menus/${menu.id}`)).expect(409, 'MENU_NOT_EMPTY')
    expect(details).toEqual([{ path: 'children', id: below.id, message: expect.any(String) }])
    const other = await world.givenTenant()
    const roles = await Promise.all(
      [boss, other.administrator].map((by) =>
        world.as(by).create('/roles', { code: `c-${below.id}`, name: 'x', menuIds: [below.id] }),
      ),
    )
    ;(await system().delete(`/menus/${below.id}`)).expect(200)
    ;(await system().delete(`/menus/${menu.id}`)).expect(200)
    ;(await system().get(`/menus/${menu.id}`)).expect(404, 'NOT_FOUND')
    expect((await world.as(boss).read(`/roles/${roles[0].id}`)).menuIds).toEqual([])
    expect(await world.look.count('select count(*) from role_menus where menu_id = $1', [below.id])).toBe(0)
  })

  test('that is deleted gets no child at the same moment, and nobody is shown it', async () => {
    for (let round = 0; round < 3; round++) {
      const menu = await givenMenu()
      const [deletion, child, role] = await Promise.all([
        system().delete(`/menus/${menu.id}`),
        system().post('/menus', { name: 'Child', parentId: menu.id }),
        world.as(boss).post('/roles', { code: `r-${menu.id}`, name: 'x', menuIds: [menu.id] }),
      ])
      expect(['200 404', '409 201']).toContain(`${deletion.status} ${child.status}`)
      expect([201, 404]).toContain(role.status)
    }
    const lost = 'select count(*) from menus m where not exists (select from menus p where p.id = m.parent_id)'
    expect(await world.look.count(`${lost} and parent_id is not null`)).toBe(0)
  })
})
