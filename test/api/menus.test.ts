import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '../../src/data/setup/migrate.ts'
import { OWN_MIGRATIONS } from '../../src/data/setup/migrations.ts'
import { writeCatalogue } from '../../src/domains/roles/catalogue.ts'
import { grantsOf } from '../../src/kernel/access.ts'
import { openWorld, type Person, type World } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

let counter = 0
const system = () => world.as(world.admin)
const givenMenu = async (draft: object = {}) =>
  (await system().post('/menus', { name: `Menu ${++counter}`, ...draft })).expect(201)
const tree = async (by: Person = world.admin) => (await world.as(by).get('/menus/tree')).expect(200)
const mine = async (person: Person) => (await world.as(person).get('/menus')).expect(200)
/** The menus of a tree, one after the other. */
const flat = (menus: any[]): any[] => menus.flatMap((menu) => [menu, ...flat(menu.children)])
const ids = (menus: any[]) => flat(menus).map(({ id }) => id)
const silent = { info() {}, warn() {}, error() {} }

describe('the menus that are there from the start', () => {
  test('form a tree: directories over pages over buttons, in order', async () => {
    const menus = await tree()
    expect(menus[0]).toEqual({
      id: expect.any(Number),
      parentId: 0,
      name: 'Home',
      path: '/home',
      component: '/home/index',
      icon: 'HomeOutlined',
      sort: 1,
      visible: true,
      permission: null,
      type: 'menu',
      children: [],
    })
    const systemMenus = menus.find(({ path }: any) => path === '/system')
    expect(systemMenus).toMatchObject({ type: 'directory', component: null })
    const users = systemMenus.children.find(({ path }: any) => path === '/system/user')
    expect(users).toMatchObject({ parentId: systemMenus.id, permission: 'user:list' })
    expect(users.children.map(({ type, permission }: any) => [type, permission])).toEqual([
      ['button', 'user:create'],
      ['button', 'user:update'],
      ['button', 'user:delete'],
    ])
    for (const level of [menus, systemMenus.children])
      expect(level.map(({ sort }: any) => sort)).toEqual(level.map((_: any, at: number) => at + 1))
  })

  test('are all for system administrators, and for others those that their permissions open', async () => {
    const all = await tree()
    expect(await mine(world.admin)).toEqual(all)
    const ours = flat(all).filter(({ permission }) => !permission || grantsOf('tenant-admin').includes(permission))
    expect(ids(await mine(boss))).toEqual(ours.map(({ id }) => id))
    expect(flat(await mine(boss)).map(({ name }) => name)).not.toContain('Tenants')
    const seen = flat(await mine(await world.givenUser(tenant)))
    const open = flat(all).filter(({ permission }) => permission === null || grantsOf('user').includes(permission))
    expect(seen.map(({ id }) => id)).toEqual(open.map(({ id }) => id))
    expect(seen.map(({ path }) => path)).toEqual(expect.arrayContaining(['/home', '/projects', '/system/dept']))
    expect(seen.map(({ path }) => path)).not.toContain('/system/user')
    for (const directory of seen.filter(({ type }) => type === 'directory')) expect(directory.children).not.toEqual([])
  })

  describe('after another start', () => {
    let own: World
    beforeAll(async () => {
      own = await openWorld()
    })
    afterAll(() => own?.close())

    test('reach tenants that are older than they are', async () => {
      const company = await own.givenTenant()
      const person = await own.givenUser(company)
      const custom = await own.givenUser(company, await own.givenRole(company, ['user:list']))
      const [admin, boss, user] = [own.as(own.admin), own.as(company.administrator), own.as(person)]
      const see = async () => Promise.all([admin, boss, user, own.as(custom)].map((who) => who.get('/menus')))
      const paths = async () => (await see()).map((answer) => flat(answer.expect(200)).map(({ name }) => name))
      const before = await paths()
      await own.look.rows('truncate menus restart identity cascade')
      expect(await paths()).toEqual([[], [], [], []])
      await migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
      expect(await paths()).toEqual(before)
      expect(before[3]).toEqual([])
    })

    test('are not written a second time, neither over what was changed nor after what was deleted', async () => {
      const admin = own.as(own.admin)
      const before = (await admin.get('/menus/tree')).expect(200)
      const about = before.at(-1)
      ;(await admin.put(`/menus/${before[0].id}`, { name: 'Start' })).expect(200)
      ;(await admin.delete(`/menus/${about.id}`)).expect(200)
      await migrate(own.databaseUrl, silent, [OWN_MIGRATIONS], { andThen: writeCatalogue })
      const after = (await admin.get('/menus/tree')).expect(200)
      expect(after).toEqual([{ ...before[0], name: 'Start' }, ...before.slice(1, -1)])
    })
  })
})

describe('my menus', () => {
  test('are those of all my roles, and those on the way to them', async () => {
    const top = await givenMenu({ type: 'directory', sort: 900 })
    const middle = await givenMenu({ type: 'directory', parentId: top.id })
    const [one, two] = [await givenMenu({ parentId: middle.id }), await givenMenu({ parentId: middle.id, sort: -1 })]
    await givenMenu({ parentId: middle.id })
    const roles = await Promise.all(
      [one, two].map(async (menu) =>
        (await world.as(boss).post('/roles', { code: `see-${menu.id}`, name: 'See', menuIds: [menu.id] })).expect(201),
      ),
    )
    const person = await world.givenUser(tenant, await world.givenRole(tenant, []))
    expect(await mine(person)).toEqual([])
    ;(await world.as(boss).put(`/users/${person.id}`, { roleIds: roles.map(({ id }) => id) })).expect(200)
    expect(await mine(person)).toEqual([{ ...top, children: [{ ...middle, children: [two, one] }] }])
  })

  test('show nobody what they may not enter', async () => {
    const all = flat(await tree())
    const menuIds = all.map(({ id }) => id)
    const { id } = (await world.as(boss).post('/roles', { code: 'sees-all', name: 'Sees all', menuIds })).expect(201)
    const person = await world.givenUser(tenant, await world.givenRole(tenant, ['user:create', 'log:view']))
    const held = (await world.as(boss).get(`/users/${person.id}`)).expect(200).roles[0]
    const [{ id: own }] = (await world.as(boss).get(`/roles?keyword=${held}`)).expect(200).items
    ;(await world.as(boss).put(`/users/${person.id}`, { roleIds: [own, id] })).expect(200)

    const seen = flat(await mine(person)).map(({ path, permission }) => path ?? permission)

    expect(seen).toEqual(expect.arrayContaining(['/monitor', '/monitor/server', '/home']))
    // A button of theirs lies in a page that is none of theirs; and so nothing is left of its directory.
    for (const closed of ['user:create', '/system/user', '/system', '/enterprise/tenants', '/content'])
      expect(seen).not.toContain(closed)
  })

  test('show the menus of the system to nobody who only holds the permission', async () => {
    const role = await world.givenRole({ id: 1 }, ['tenant:list', 'menu:list', 'menu:create'])
    const [{ id }] = (await system().get(`/roles?keyword=${role}`)).expect(200).items
    const menuIds = flat(await tree()).map((menu) => menu.id)
    ;(await system().put(`/roles/${id}`, { menuIds })).expect(200)
    const seen = flat(await mine(await world.givenUser({ id: 1 }, role))).map(
      ({ path, permission }) => path ?? permission,
    )
    expect(seen).toContain('/system/menu')
    for (const closed of ['/enterprise/tenants', 'menu:create']) expect(seen).not.toContain(closed)
  })

  test('want a token, and no more; the whole tree wants menu:list', async () => {
    const person = await world.givenUser(tenant)
    ;(await world.anyone.get('/menus')).expect(401, 'UNAUTHENTICATED')
    for (const path of ['/menus/tree', '/menus/1']) (await world.as(person).get(path)).expect(403, 'PERMISSION_DENIED')
    const reader = await world.givenUser(tenant, await world.givenRole(tenant, ['menu:list']))
    const menus = await tree(reader)
    expect(menus).toEqual(await tree())
    const directory = menus.find(({ type }: any) => type === 'directory')
    expect((await world.as(reader).get(`/menus/${directory.id}`)).expect(200)).toEqual(directory)
    ;(await world.as(reader).get('/menus/999999')).expect(404, 'NOT_FOUND')
  })

  test('are all of them for the system administrator, in any tenant', async () => {
    const menus = (await system().get('/menus', { 'x-tenant-code': tenant.code })).expect(200)
    expect(menus).toEqual(await tree())
  })
})

describe('a menu', () => {
  test('is made by the system administrator, who sees it immediately', async () => {
    const draft = {
      name: ' Reports ',
      path: '/reports',
      component: '',
      icon: 'X',
      sort: 7,
      visible: false,
      permission: 'report:view',
      type: 'menu',
    }
    const answer = await system().post('/menus', draft)
    const menu = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/menus/${menu.id}`)
    expect(menu).toEqual({ ...draft, id: menu.id, parentId: 0, name: 'Reports', children: [] })
    expect((await system().get(`/menus/${menu.id}`)).expect(200)).toEqual(menu)
    expect(ids(await mine(world.admin))).toContain(menu.id)
    expect(ids(await mine(boss))).not.toContain(menu.id)
    expect(await givenMenu({ name: 'Bare', parentId: null })).toMatchObject({
      parentId: 0,
      path: null,
      sort: 0,
      visible: true,
      permission: null,
      type: 'menu',
    })
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(65) }],
    ['path', { path: 'x'.repeat(256) }],
    ['icon', { icon: 'x'.repeat(65) }],
    ['sort', { sort: 1.5 }],
    ['visible', { visible: 'yes' }],
    ['type', { type: 'page' }],
    ['parentId', { parentId: -1 }],
  ])('with a %s out of shape is refused', async (field, draft) => {
    const { details } = (await system().post('/menus', { name: 'x', ...draft })).expect(400, 'VALIDATION_FAILED')
    expect(details.map(({ path }: any) => path)).toEqual([`body.${field}`])
  })

  test('is changed in what is sent, and moved with all that lies below it', async () => {
    const [here, there] = [await givenMenu(), await givenMenu({ path: '/there' })]
    const moved = await givenMenu({ parentId: here.id, path: '/moved', permission: 'log:view', sort: 3 })
    const below = await givenMenu({ parentId: moved.id })
    const put = async (patch: object) => (await system().put(`/menus/${moved.id}`, patch)).expect(200)
    const whole = { ...moved, children: [below] }
    expect(await put({})).toEqual(whole)
    expect(await put({ name: 'Moved', permission: null })).toEqual({ ...whole, name: 'Moved', permission: null })
    expect(await put({ parentId: there.id })).toMatchObject({
      parentId: there.id,
      name: 'Moved',
      path: '/moved',
      sort: 3,
    })
    expect((await system().get(`/menus/${there.id}`)).expect(200).children).toMatchObject([
      { id: moved.id, children: [{ id: below.id }] },
    ])
    expect(await put({ parentId: 0 })).toMatchObject({ parentId: 0, children: [{ id: below.id }] })
    ;(await system().put(`/menus/${moved.id}`, { parentId: 999_999 })).expect(404, 'NOT_FOUND')
    ;(await system().post('/menus', { name: 'x', parentId: 999_999 })).expect(404, 'NOT_FOUND')
    ;(await system().put('/menus/999999', { name: 'x' })).expect(404, 'NOT_FOUND')
  })

  test('never closes a circle, nor do two that are moved concurrently', async () => {
    const top = await givenMenu()
    const below = await givenMenu({ parentId: top.id })
    for (const parentId of [top.id, below.id])
      (await system().put(`/menus/${top.id}`, { parentId })).expect(409, 'MENU_CYCLE')
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await givenMenu(), await givenMenu()]
      const moves = await Promise.all([
        system().put(`/menus/${one.id}`, { parentId: other.id }),
        system().put(`/menus/${other.id}`, { parentId: one.id }),
      ])
      expect(moves.map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })

  test('is deleted only with nothing below it, and then from the roles of every tenant', async () => {
    const menu = await givenMenu()
    const below = await givenMenu({ parentId: menu.id })
    const { details } = (await system().delete(`/menus/${menu.id}`)).expect(409, 'MENU_NOT_EMPTY')
    expect(details).toEqual([{ path: 'children', id: below.id, message: expect.any(String) }])
    const other = await world.givenTenant()
    const roles = await Promise.all(
      [boss, other.administrator].map(async (by) =>
        (await world.as(by).post('/roles', { code: `c-${below.id}`, name: 'x', menuIds: [below.id] })).expect(201),
      ),
    )
    ;(await system().delete(`/menus/${below.id}`)).expect(200)
    ;(await system().delete(`/menus/${menu.id}`)).expect(200)
    ;(await system().get(`/menus/${menu.id}`)).expect(404, 'NOT_FOUND')
    ;(await system().delete(`/menus/${menu.id}`)).expect(404, 'NOT_FOUND')
    expect((await world.as(boss).get(`/roles/${roles[0].id}`)).expect(200).menuIds).toEqual([])
    expect(await world.look.count('select count(*) from role_menus where menu_id = $1', [below.id])).toBe(0)
  })

  test('that is deleted gets no child at the same moment, and nobody is shown it', async () => {
    for (let round = 0; round < 8; round++) {
      const menu = await givenMenu()
      const [deletion, child, role] = await Promise.all([
        system().delete(`/menus/${menu.id}`),
        system().post('/menus', { name: 'Child', parentId: menu.id }),
        world.as(boss).post('/roles', { code: `r-${menu.id}`, name: 'x', menuIds: [menu.id] }),
      ])
      expect([
        [200, 404],
        [409, 201],
      ]).toContainEqual([deletion.status, child.status])
      expect([201, 404]).toContain(role.status)
    }
    expect(
      await world.look.count(
        'select count(*) from menus m where parent_id is not null and not exists (select from menus p where p.id = m.parent_id)',
      ),
    ).toBe(0)
  })

  test('is written by system administrators alone', async () => {
    const { id } = await givenMenu()
    const other = await world.givenUser(
      { id: 1 },
      await world.givenRole({ id: 1 }, ['menu:create', 'menu:update', 'menu:delete']),
    )
    for (const [person, type] of [
      [boss, 'PERMISSION_DENIED'],
      [other, 'ROLE_REQUIRED'],
    ] as const) {
      ;(await world.as(person).post('/menus', { name: 'x' })).expect(403, type)
      ;(await world.as(person).put(`/menus/${id}`, { name: 'x' })).expect(403, type)
      ;(await world.as(person).delete(`/menus/${id}`)).expect(403, type)
    }
  })
})
