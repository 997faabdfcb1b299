import { describe, expect, test } from 'vitest'
import type { Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

let counter = 0
const givenDepartment = async (draft: object = {}) =>
  (
    await world.as(boss).post('/departments', { name: `Department ${++counter}`, code: `D-${counter}`, ...draft })
  ).expect(201)
/** A department as the tree shows it, wherever it hangs. */
const find = async (id: number) => {
  const search = (departments: any[]): any =>
    departments.find((department) => department.id === id) ??
    departments.map(({ children }) => search(children)).find(Boolean)
  return search((await world.as(boss).get('/departments')).expect(200))
}
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

  test('keeps its code, and what a change leaves out', async () => {
    const current = (await world.as(boss).get('/organizations/current')).expect(200)
    const put = (patch: object) => world.as(boss).put(`/organizations/${current.id}`, patch)
    const disabled = (await put({ status: 'disabled', code: 'OTHER', id: 1, tenantId: 1 })).expect(200)
    expect(disabled).toEqual({ ...current, status: 'disabled' })
    expect((await put({})).expect(200)).toEqual(disabled)
    expect((await put({ status: 'active' })).expect(200)).toEqual(current)
    for (const patch of [{ name: ' ' }, { name: 'x'.repeat(129) }, { name: null }, { status: 'DISABLED' }])
      (await put(patch)).expect(400, 'VALIDATION_FAILED')
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

  test('never closes a circle under opposite concurrent moves either', async () => {
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

  test('shows what was made, at its place', async () => {
    const parent = await givenDepartment()
    const answer = await world.as(boss).post('/departments', { name: ' Sales ', code: 'SALES', parentId: parent.id })
    const made = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/departments/${made.id}`)
    expect(made).toEqual({
      ...{ id: made.id, parentId: parent.id, name: 'Sales', code: 'SALES', leaderId: null, leaderName: null },
      ...{ sort: 0, status: 'active', memberCount: 0, version: 0, children: [] },
    })
    expect(await find(parent.id)).toMatchObject({ children: [made] })
    const disabled = { name: 'Sales', code: 'SALES', status: 'disabled', sort: -7 }
    expect((await world.as(boss).put(`/departments/${made.id}`, disabled)).expect(200)).toEqual({
      ...{ ...made, ...disabled, parentId: null, version: 1 },
    })
  })

  test.each([
    ['name', ''],
    ['name', 'x'.repeat(129)],
    ['code', ' '],
    ['code', 'x'.repeat(65)],
    ['parentId', 0],
    ['leaderId', 'boss'],
    ['sort', 1.5],
    ['status', 'ACTIVE'],
  ])('takes no department whose %s is %j, new or changed', async (field, value) => {
    const { id } = await givenDepartment()
    const form = { name: 'x', code: `x-${++counter}`, [field]: value }
    for (const answer of [
      await world.as(boss).post('/departments', form),
      await world.as(boss).put(`/departments/${id}`, form),
    ])
      expect(answer.expect(400, 'VALIDATION_FAILED').details[0].path).toBe(`body.${field}`)
  })

  test('moves a department with all below it, and never below those', async () => {
    const [top, other] = [await givenDepartment(), await givenDepartment()]
    const middle = await givenDepartment({ parentId: top.id })
    const bottom = await givenDepartment({ parentId: middle.id })
    const put = (department: any, parentId: number | null) =>
      world.as(boss).put(`/departments/${department.id}`, { name: department.name, code: department.code, parentId })
    for (const below of [middle, bottom]) (await put(top, below.id)).expect(409, 'DEPARTMENT_CYCLE')
    ;(await put(middle, other.id)).expect(200)
    expect(await find(other.id)).toMatchObject({ children: [{ id: middle.id, children: [{ id: bottom.id }] }] })
    ;(await put(top, bottom.id)).expect(200)
    ;(await put(other, top.id)).expect(409, 'DEPARTMENT_CYCLE')
  })

  test('takes each code once, and in another tenant once more', async () => {
    const [{ code }, other] = [await givenDepartment(), await givenDepartment()]
    ;(await world.as(boss).post('/departments', { name: 'Twin', code })).expect(409, 'DEPARTMENT_CODE_TAKEN')
    ;(await world.as(boss).put(`/departments/${other.id}`, { name: 'Twin', code })).expect(409, 'DEPARTMENT_CODE_TAKEN')
    ;(await world.as(boss).put(`/departments/${other.id}`, { name: 'Same', code: other.code })).expect(200)
    const stranger = (await world.givenTenant()).administrator
    ;(await world.as(stranger).post('/departments', { name: 'Twin', code })).expect(201)
  })

  test('knows no department, leader or parent of another tenant, and tells them from none', async () => {
    const stranger = (await world.givenTenant()).administrator
    const foreign = (await world.as(stranger).post('/departments', { name: 'x', code: 'x' })).expect(201)
    const own = await givenDepartment()
    for (const [field, id] of [
      ['leaderId', stranger.id],
      ['parentId', foreign.id],
    ] as const)
      for (const send of [
        (form: object) => world.as(boss).post('/departments', form),
        (form: object) => world.as(boss).put(`/departments/${own.id}`, form),
      ]) {
        const form = { name: 'x', code: `x-${++counter}` }
        const [there, not] = [await send({ ...form, [field]: id }), await send({ ...form, [field]: 999_999 })]
        there.expect(404, 'NOT_FOUND')
        expect({ ...there.body, requestId: '' }).toEqual({ ...not.body, requestId: '' })
      }
    const form = { name: 'x', code: 'x' }
    for (const id of [foreign.id, 999_999]) {
      ;(await world.as(boss).put(`/departments/${id}`, form)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).delete(`/departments/${id}`)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).get(`/departments/${id}/members`)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).put(`/departments/${id}/members/${boss.id}`)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).delete(`/departments/${id}/members/${boss.id}`)).expect(404, 'NOT_FOUND')
    }
    expect(await find(foreign.id)).toBeUndefined()
  })

  test('is read by everyone of the tenant, and changed by those who may manage it', async () => {
    const { id } = await givenDepartment()
    const reader = world.as(await world.givenUser(tenant))
    ;(await reader.get('/departments')).expect(200)
    ;(await reader.get(`/departments/${id}/members`)).expect(200)
    const manager = await world.givenUser(tenant, await world.givenRole(tenant, ['department:manage']))
    ;(await world.as(manager).put(`/departments/${id}`, { name: 'Managed', code: `M-${id}` })).expect(200)
    ;(await world.as(manager).get('/departments')).expect(403, 'PERMISSION_DENIED')
    for (const answer of [
      await reader.post('/departments', { name: 'x', code: 'x' }),
      await reader.put(`/departments/${id}`, { name: 'x', code: 'x' }),
      await reader.delete(`/departments/${id}`),
      await reader.put(`/departments/${id}/members/${manager.id}`),
      await reader.delete(`/departments/${id}/members/${manager.id}`),
    ])
      answer.expect(403, 'PERMISSION_DENIED')
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

  test('a new leader comes from wherever they were, and leaves nobody without the old one', async () => {
    const [old, next] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const department = await givenDepartment({ leaderId: old.id })
    const elsewhere = await givenDepartment()
    ;(await world.as(boss).put(`/departments/${elsewhere.id}/members/${next.id}`)).expect(200)
    const form = { name: department.name, code: department.code }
    const changed = (await world.as(boss).put(`/departments/${department.id}`, { ...form, leaderId: next.id })).expect(
      200,
    )
    expect(changed).toMatchObject({ leaderId: next.id, memberCount: 2 })
    expect([await membersOf(department), await membersOf(elsewhere)]).toEqual([[old.id, next.id], []])

    ;(await world.as(boss).put(`/departments/${elsewhere.id}/members/${old.id}`)).expect(200)
    ;(await world.as(boss).put(`/departments/${department.id}`, form)).expect(200)
    ;(await world.as(boss).delete(`/departments/${department.id}/members/${next.id}`)).expect(200)
    expect([await membersOf(department), await membersOf(elsewhere)]).toEqual([[], [old.id]])
  })

  test('are listed by who they are', async () => {
    const department = await givenDepartment()
    const person = await world.givenUser(tenant)
    ;(await world.as(boss).put(`/departments/${department.id}/members/${person.id}`)).expect(200)
    expect((await world.as(boss).get(`/departments/${department.id}/members`)).expect(200)).toEqual([
      { id: person.id, username: person.username, nickname: expect.any(String), status: 'active' },
    ])
    expect(await find(department.id)).toMatchObject({ memberCount: 1 })
  })

  test('are people of the tenant', async () => {
    const department = await givenDepartment()
    const stranger = await world.givenUser(await world.givenTenant())
    for (const id of [stranger.id, 999_999]) {
      ;(await world.as(boss).put(`/departments/${department.id}/members/${id}`)).expect(404, 'NOT_FOUND')
      ;(await world.as(boss).delete(`/departments/${department.id}/members/${id}`)).expect(404, 'NOT_FOUND')
    }
    expect(await membersOf(department)).toEqual([])
  })

  test('removing someone who is not there is no mistake, and takes them out of nowhere else', async () => {
    const person = await world.givenUser(tenant)
    const [here, there] = [await givenDepartment(), await givenDepartment()]
    ;(await world.as(boss).put(`/departments/${there.id}/members/${person.id}`)).expect(200)
    for (let at = 0; at < 2; at++)
      (await world.as(boss).delete(`/departments/${here.id}/members/${person.id}`)).expect(200)
    expect(await membersOf(there)).toEqual([person.id])
  })
})

describe('a leader for whom requests wait', () => {
  const act = (person: Person, { id }: { id: number }, action: string) =>
    world.as(person).post(`/approvals/${id}/${action}`, undefined, { 'idempotency-key': `key-${++counter}` })
  async function givenRequest(department: { id: number }, applicant: Person) {
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id }
    const request = (await world.as(applicant).post('/approvals', draft)).expect(201)
    return (await act(applicant, request, 'submit')).expect(200)
  }

  test('can be replaced but not cleared, until nothing waits for them any more', async () => {
    const [applicant, leader, next] = await Promise.all([1, 2, 3].map(() => world.givenUser(tenant)))
    const department = await givenDepartment({ leaderId: leader!.id })
    const put = (leaderId: number | null) =>
      world.as(boss).put(`/departments/${department.id}`, { name: 'x', code: department.code, leaderId })
    const requests = [await givenRequest(department, applicant!), await givenRequest(department, applicant!)]

    const refused = await put(null)
    refused.expect(409, 'APPROVALS_WAITING')
    expect(await find(department.id)).toMatchObject({ name: department.name, leaderId: leader!.id })

    ;(await put(next!.id)).expect(200)
    for (const { id } of requests) {
      const { steps } = (await world.as(applicant!).get(`/approvals/${id}`)).expect(200)
      expect(steps).toMatchObject([{ status: 'PENDING', approverId: next!.id }, { status: 'WAITING' }])
    }
    ;(await act(next!, requests[0], 'approve')).expect(200)
    ;(await put(null)).expect(409, 'APPROVALS_WAITING')
    ;(await act(applicant!, requests[1], 'cancel')).expect(200)
    ;(await put(null)).expect(200)
    // What waits for an administrator waits for no leader.
    ;(await act(boss, requests[0], 'approve')).expect(200)
  })

  test('keeps the department from being deleted; requests that do not wait let it go', async () => {
    const [applicant, leader] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const department = await givenDepartment({ leaderId: leader.id })
    const remove = () => world.as(boss).delete(`/departments/${department.id}`)
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id }
    const kept = (await world.as(applicant).post('/approvals', draft)).expect(201)
    const request = await givenRequest(department, applicant)
    ;(await act(leader, request, 'approve')).expect(200)
    ;(await world.as(boss).put(`/departments/${department.id}`, { name: 'x', code: department.code })).expect(200)
    ;(await world.as(boss).delete(`/departments/${department.id}/members/${leader.id}`)).expect(200)

    const refusal = (await remove()).expect(409, 'DEPARTMENT_NOT_EMPTY')
    expect(refusal.details).toMatchObject([{ path: 'approvals', count: 1 }])
    ;(await act(boss, request, 'reject')).expect(200)
    ;(await remove()).expect(200)

    for (const { id } of [kept, request])
      expect((await world.as(applicant).get(`/approvals/${id}`)).expect(200)).toMatchObject({
        departmentId: department.id,
        departmentName: department.name,
      })
    ;(await act(applicant, kept, 'submit')).expect(404, 'NOT_FOUND')
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
