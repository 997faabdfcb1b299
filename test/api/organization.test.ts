import { describe, expect, test } from 'vitest'
import type { Person } from '../support/world.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant, boss } = await openWorldWithTenant()

let counter = 0
const givenDepartment = async (draft: object = {}) =>
  (await post({ name: `Department ${++counter}`, code: `D-${counter}`, ...draft })).expect(201)
const post = (form: object) => world.as(boss).post('/departments', form)
const put = ({ id }: { id: number }, form: object) => world.as(boss).put(`/departments/${id}`, form)
const join = ({ id }: { id: number }, person: { id: number }) =>
  world.as(boss).put(`/departments/${id}/members/${person.id}`)
const leave = ({ id }: { id: number }, person: { id: number }) =>
  world.as(boss).delete(`/departments/${id}/members/${person.id}`)
/** A department as the tree shows it, wherever it hangs. */
const find = async (id: number) => {
  const search = (departments: any[]): any =>
    departments.find((department) => department.id === id) ??
    departments.map(({ children }) => search(children)).find(Boolean)
  return search(await world.as(boss).read('/departments'))
}
const membersOf = async (department: { id: number }) =>
  await world.as(boss).list(`/departments/${department.id}/members`, 'id')

test('the organization is changed in what is sent, and keeps its code', async () => {
  const before = await world.as(boss).read('/organizations/current')
  expect(before).toMatchObject({ tenantId: tenant.id, status: 'active' })
  const put = (patch: object) => world.as(boss).put(`/organizations/${before.id}`, patch)
  const current = (await put({ name: 'New name' })).expect(200)
  expect(current).toEqual({ ...before, name: 'New name' })
  const disabled = (await put({ status: 'disabled', code: 'OTHER', id: 1, tenantId: 1 })).expect(200)
  expect(disabled).toEqual({ ...current, status: 'disabled' })
  expect((await put({})).expect(200)).toEqual(disabled)
  expect((await put({ status: 'active' })).expect(200)).toEqual(current)
})

/** Codes are in `codes.test.ts`. */
describe('the tree of departments', () => {
  test('holds children in the order of sort, then id', async () => {
    const root = await givenDepartment()
    const last = await givenDepartment({ parentId: root.id, sort: 5 })
    const first = await givenDepartment({ parentId: root.id, sort: -1 })
    const tree = await world.as(boss).read('/departments')
    const found = tree.find((department: any) => department.id === root.id)
    expect(found.children.map((child: any) => child.id)).toEqual([first.id, last.id])
    expect(found.children[0]).toMatchObject({ parentId: root.id, memberCount: 0, leaderId: null, children: [] })
  })

  test('shows what was made, at its place', async () => {
    const parent = await givenDepartment()
    const answer = await post({ name: ' Sales ', code: 'SALES', parentId: parent.id })
    const made = answer.expect(201)
    expect(answer.headers.location).toBe(`/api/v1/departments/${made.id}`)
    expect(made).toEqual({
      ...{ id: made.id, parentId: parent.id, name: 'Sales', code: 'SALES', leaderId: null, leaderName: null },
      ...{ sort: 0, status: 'active', memberCount: 0, version: 0, children: [] },
    })
    expect(await find(parent.id)).toMatchObject({ children: [made] })
    const disabled = { name: 'Sales', code: 'SALES', status: 'disabled', sort: -7 }
    expect((await put(made, disabled)).expect(200)).toEqual({ ...{ ...made, ...disabled, parentId: null, version: 1 } })
  })

  test('moves a department with all below it, and never below those', async () => {
    const [top, other] = [await givenDepartment(), await givenDepartment()]
    const middle = await givenDepartment({ parentId: top.id })
    const bottom = await givenDepartment({ parentId: middle.id })
    const move = ({ id, name, code }: any, parentId: number) => put({ id }, { name, code, parentId })
    for (const below of [top, middle, bottom]) (await move(top, below.id)).expect(409, 'DEPARTMENT_CYCLE')
    ;(await move(middle, other.id)).expect(200)
    expect(await find(other.id)).toMatchObject({ children: [{ id: middle.id, children: [{ id: bottom.id }] }] })
    ;(await move(top, bottom.id)).expect(200)
    ;(await move(other, top.id)).expect(409, 'DEPARTMENT_CYCLE')
  })
})

describe('members of departments', () => {
  test('a leader becomes a member, and stays while leading', async () => {
    const leader = await world.givenUser(tenant)
    const department = await givenDepartment({ leaderId: leader.id })
    const elsewhere = await givenDepartment()
    expect(await membersOf(department)).toEqual([leader.id])
    ;(await leave(department, leader)).expect(409, 'MEMBER_IS_LEADER')
    ;(await join(elsewhere, leader)).expect(409, 'MEMBER_IS_LEADER')
    ;(await put(elsewhere, { name: 'E', code: 'E', leaderId: leader.id })).expect(409, 'MEMBER_IS_LEADER')
    const stale = { name: 'E', code: 'E', version: 7 }
    ;(await put(elsewhere, { ...stale, leaderId: leader.id })).expect(409, 'MEMBER_IS_LEADER')
    ;(await put(elsewhere, { ...stale, leaderId: 987_654_321 })).expect(404, 'NOT_FOUND')
    ;(await put(elsewhere, stale)).expect(409, 'VERSION_CONFLICT')
  })

  test('a new leader comes from wherever they were, and leaves nobody without the old one', async () => {
    const [old, next] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const department = await givenDepartment({ leaderId: old.id })
    const elsewhere = await givenDepartment()
    ;(await join(elsewhere, next)).expect(200)
    const form = { name: department.name, code: department.code }
    const changed = (await put(department, { ...form, leaderId: next.id })).expect(200)
    expect(changed).toMatchObject({ leaderId: next.id, memberCount: 2 })
    expect([await membersOf(department), await membersOf(elsewhere)]).toEqual([[old.id, next.id], []])

    ;(await join(elsewhere, old)).expect(200)
    ;(await put(department, form)).expect(200)
    ;(await leave(department, next)).expect(200)
    expect([await membersOf(department), await membersOf(elsewhere)]).toEqual([[], [old.id]])
  })

  test('are in one department at most: assigning moves, and removing takes them out of nowhere else', async () => {
    const person = await world.givenUser(tenant)
    const [here, there] = [await givenDepartment(), await givenDepartment()]
    for (const { id } of [here, there, there]) (await join({ id }, person)).expect(200)
    for (let at = 0; at < 2; at++) (await leave(here, person)).expect(200)
    expect(await membersOf(here)).toEqual([])
    expect(await world.as(boss).read(`/departments/${there.id}/members`)).toEqual([
      { id: person.id, username: person.username, nickname: expect.any(String), status: 'active' },
    ])
    expect(await find(there.id)).toMatchObject({ memberCount: 1 })
  })
})

test('the members of a department are listed up to 500, unless another number is asked for', async () => {
  const company = await world.givenTenant()
  const as = world.as(company.administrator)
  const { id } = await as.create('/departments', { name: 'Crowd', code: 'CROWD' })
  await world.look.rows(
    `with crowd as (insert into users (tenant_id, username, password_hash)
       select $1, 'crowd-' || n, '-' from generate_series(1, 501) n returning id)
     insert into department_members (tenant_id, department_id, user_id, created_at) select $1, $2, id, now() from crowd`,
    [company.id, id],
  )
  const answer = await as.get(`/departments/${id}/members`)
  expect(answer.expect(200)).toHaveLength(500)
  expect(answer.headers.link).toMatch(/rel="next"/)
  expect(await as.read(`/departments/${id}/members?pageSize=1000`)).toHaveLength(501)
})

describe('a leader for whom requests wait', () => {
  const act = (person: Person, { id }: { id: number }, action: string) =>
    world.as(person).post(`/approvals/${id}/${action}`, undefined, { 'idempotency-key': `key-${++counter}` })
  async function givenRequest(department: { id: number }, applicant: Person) {
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id }
    const request = await world.as(applicant).create('/approvals', draft)
    return (await act(applicant, request, 'submit')).expect(200)
  }

  test('can be replaced but not cleared, until nothing waits for them any more', async () => {
    const [applicant, leader, next] = await Promise.all([1, 2, 3].map(() => world.givenUser(tenant)))
    const department = await givenDepartment({ leaderId: leader!.id })
    const lead = (leaderId: number | null) => put(department, { name: 'x', code: department.code, leaderId })
    const requests = [await givenRequest(department, applicant!), await givenRequest(department, applicant!)]

    const refused = await lead(null)
    refused.expect(409, 'APPROVALS_WAITING')
    const stale = { name: 'x', code: department.code, version: 7 }
    ;(await put(department, stale)).expect(409, 'APPROVALS_WAITING')
    expect(await find(department.id)).toMatchObject({ name: department.name, leaderId: leader!.id })

    ;(await lead(next!.id)).expect(200)
    for (const { id } of requests) {
      const { steps } = await world.as(applicant!).read(`/approvals/${id}`)
      expect(steps).toMatchObject([{ status: 'PENDING', approverId: next!.id }, { status: 'WAITING' }])
    }
    ;(await act(next!, requests[0], 'approve')).expect(200)
    ;(await lead(null)).expect(409, 'APPROVALS_WAITING')
    ;(await act(applicant!, requests[1], 'cancel')).expect(200)
    ;(await lead(null)).expect(200)
    // What waits for an administrator waits for no leader.
    ;(await act(boss, requests[0], 'approve')).expect(200)
  })

  test('keeps the department from being deleted; requests that do not wait let it go', async () => {
    const [applicant, leader] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    const department = await givenDepartment({ leaderId: leader.id })
    const remove = () => world.as(boss).delete(`/departments/${department.id}`)
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id }
    const kept = await world.as(applicant).create('/approvals', draft)
    const request = await givenRequest(department, applicant)
    ;(await act(leader, request, 'approve')).expect(200)
    ;(await put(department, { name: 'x', code: department.code })).expect(200)
    ;(await leave(department, leader)).expect(200)

    const refusal = (await remove()).expect(409, 'DEPARTMENT_NOT_EMPTY')
    expect(refusal.details).toMatchObject([{ path: 'approvals', count: 1 }])
    ;(await act(boss, request, 'reject')).expect(200)
    ;(await remove()).expect(200)

    for (const { id } of [kept, request])
      expect(await world.as(applicant).read(`/approvals/${id}`)).toMatchObject({
        departmentId: department.id,
        departmentName: department.name,
      })
    ;(await act(applicant, kept, 'submit')).expect(404, 'NOT_FOUND')
  })
})

/** The clients of the specification send a form back as they got it, with what they have changed. */
test('a department whose leader was disabled is changed as any other, and takes no disabled person as a new leader', async () => {
  const [leader, other] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const form = { name: 'Sales', code: 'UNCHANGED', leaderId: leader.id }
  const made = (await post(form)).expect(201)
  for (const { id } of [leader, other]) (await world.as(boss).put(`/users/${id}`, { status: 'disabled' })).expect(200)

  const read = await find(made.id)
  const renamed = (await put(made, { ...read, name: 'Sales and service' })).expect(200)
  expect(renamed).toMatchObject({ name: 'Sales and service', leaderId: leader.id })
  ;(await put(made, { ...renamed, leaderId: other.id })).expect(404, 'NOT_FOUND')
  ;(await post({ ...form, code: 'MORE' })).expect(404, 'NOT_FOUND')
  ;(await put(made, { ...renamed, leaderId: null })).expect(200)
})
