import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

let world: World
let tenant: Tenant
let boss: Person
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  boss = tenant.administrator
})
afterAll(() => world.close())

let counter = 0
const givenDepartment = async (draft: object = {}) =>
  (
    await world.as(boss).post('/departments', { name: `Department ${++counter}`, code: `D-${counter}`, ...draft })
  ).expect(201)
const membersOf = async (department: { id: number }) =>
  (await world.as(boss).get(`/departments/${department.id}/members`)).expect(200).map((member: any) => member.id)

describe('the organization', () => {
  test('is read by everyone of the tenant and changed by its administrators', async () => {
    const current = (await world.as(boss).get('/organizations/current')).expect(200)
    expect(current).toMatchObject({ tenantId: tenant.id, status: 'active' })
    const changed = (await world.as(boss).put(`/organizations/${current.id}`, { name: 'New name' })).expect(200)
    expect(changed).toEqual({ ...current, name: 'New name' })
    ;(await world.as(await world.givenUser(tenant)).put(`/organizations/${current.id}`, { name: 'No' })).expect(
      403,
      'PERMISSION_DENIED',
    )
  })

  test('of another tenant cannot be named', async () => {
    ;(await world.as(boss).put('/organizations/1', { name: 'Mine' })).expect(404, 'NOT_FOUND')
  })
})

describe('the tree of departments', () => {
  test('holds children in the order of sort, then id', async () => {
    const root = await givenDepartment()
    const last = await givenDepartment({ parentId: root.id, sort: 5 })
    const first = await givenDepartment({ parentId: root.id, sort: -1 })
    const tree = (await world.as(boss).get('/departments')).expect(200)
    const found = tree.find((department: any) => department.id === root.id)
    expect(found.children.map((child: any) => child.id)).toEqual([first.id, last.id])
    expect(found.children[0]).toMatchObject({ parentId: root.id, memberCount: 0, leaderId: null, children: [] })
  })

  test('never closes a circle', async () => {
    const top = await givenDepartment()
    const below = await givenDepartment({ parentId: top.id })
    const form = { name: top.name, code: top.code }
    ;(await world.as(boss).put(`/departments/${top.id}`, { ...form, parentId: below.id })).expect(
      409,
      'DEPARTMENT_CYCLE',
    )
    ;(await world.as(boss).put(`/departments/${top.id}`, { ...form, parentId: top.id })).expect(409, 'DEPARTMENT_CYCLE')
  })

  test('never closes a circle under opposite moves at once either', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [await givenDepartment(), await givenDepartment()]
      const moves = await Promise.all([
        world.as(boss).put(`/departments/${one.id}`, { name: one.name, code: one.code, parentId: other.id }),
        world.as(boss).put(`/departments/${other.id}`, { name: other.name, code: other.code, parentId: one.id }),
      ])
      expect(moves.map((move) => move.status).sort()).toEqual([200, 409])
    }
  })

  test('replaces the whole form: what is missing is cleared', async () => {
    const parent = await givenDepartment()
    const leader = await world.givenUser(tenant)
    const department = await givenDepartment({ parentId: parent.id, leaderId: leader.id, sort: 3 })
    const after = (
      await world.as(boss).put(`/departments/${department.id}`, { name: 'Bare', code: department.code })
    ).expect(200)
    expect(after).toMatchObject({
      name: 'Bare',
      parentId: null,
      leaderId: null,
      sort: 0,
      status: 'active',
      memberCount: 1,
    })
  })

  test('takes each code once', async () => {
    const { code } = await givenDepartment()
    ;(await world.as(boss).post('/departments', { name: 'Twin', code })).expect(409, 'DEPARTMENT_CODE_TAKEN')
  })

  test('knows no department, leader or parent of another tenant', async () => {
    const stranger = await world.givenUser(await world.givenTenant())
    ;(await world.as(boss).post('/departments', { name: 'x', code: 'x1', leaderId: stranger.id })).expect(
      404,
      'NOT_FOUND',
    )
    ;(await world.as(boss).post('/departments', { name: 'x', code: 'x2', parentId: 999_999 })).expect(404, 'NOT_FOUND')
  })
})

describe('members of departments', () => {
  test('are in one department at most: assigning moves', async () => {
    const [here, there] = [await givenDepartment(), await givenDepartment()]
    const person = await world.givenUser(tenant)
    for (const { id } of [here, there, there])
      (await world.as(boss).put(`/departments/${id}/members/${person.id}`)).expect(200)
    expect(await membersOf(here)).toEqual([])
    expect(await membersOf(there)).toEqual([person.id])
  })

  test('a leader becomes a member, and stays while leading', async () => {
    const leader = await world.givenUser(tenant)
    const department = await givenDepartment({ leaderId: leader.id })
    const elsewhere = await givenDepartment()
    expect(await membersOf(department)).toEqual([leader.id])
    ;(await world.as(boss).delete(`/departments/${department.id}/members/${leader.id}`)).expect(409, 'MEMBER_IS_LEADER')
    ;(await world.as(boss).put(`/departments/${elsewhere.id}/members/${leader.id}`)).expect(409, 'MEMBER_IS_LEADER')
    ;(await world.as(boss).put(`/departments/${elsewhere.id}`, { name: 'E', code: 'E', leaderId: leader.id })).expect(
      409,
      'MEMBER_IS_LEADER',
    )
  })

  test('removing someone who is not there is no mistake', async () => {
    const person = await world.givenUser(tenant)
    ;(await world.as(boss).delete(`/departments/${(await givenDepartment()).id}/members/${person.id}`)).expect(200)
  })
})

describe('deleting a department', () => {
  test('is refused while children or members are left, saying which', async () => {
    const department = await givenDepartment({ leaderId: (await world.givenUser(tenant)).id })
    await givenDepartment({ parentId: department.id })
    const refusal = (await world.as(boss).delete(`/departments/${department.id}`)).expect(409, 'DEPARTMENT_NOT_EMPTY')
    expect(refusal.details.map((detail: any) => detail.path)).toEqual(['children', 'members'])
  })

  test('works once it is empty', async () => {
    const { id } = await givenDepartment()
    ;(await world.as(boss).delete(`/departments/${id}`)).expect(200)
    ;(await world.as(boss).get(`/departments/${id}/members`)).expect(404, 'NOT_FOUND')
  })
})
