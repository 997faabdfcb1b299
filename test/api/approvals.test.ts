import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

/** What `approvals-matrix.test.ts` does not say: the steps, the leader who cannot act, drafts, and lists. */
let tenant: Tenant
let boss: Person
let applicant: Person
let leader: Person
let bystander: Person
let department: { id: number; name: string; code: string }
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  ;[applicant, leader] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  bystander = await world.givenUser(tenant)
  department = await made('/departments', { name: 'Sales', code: 'SALES', leaderId: leader.id })
})

let keys = 0
const made = (path: string, body: object, person = boss) => world.as(person).create(path, body)
const draft = (fields: object = {}) =>
  made('/approvals', { type: 'LEAVE', title: 'Two days off', departmentId: department.id, ...fields }, applicant)
const act = (person: Person, { id }: { id: number }, action: string, body?: object) =>
  world.as(person).post(`/approvals/${id}/${action}`, body, { 'idempotency-key': `key-${++keys}` })
const submitted = async () => (await act(applicant, await draft(), 'submit')).expect(200)
const read = ({ id }: { id: number }, person = boss) => world.as(person).read(`/approvals/${id}`)
const ids = (person: Person, query = '') => world.as(person).list(`/approvals${query}`, 'id')
const todo = (person: Person) => ids(person, '?scope=todo')
/** Read from the table: a person who was disabled has no session. */
const inbox = async ({ id }: Person) =>
  (await world.look.rows('select type from notifications where receiver_id = $1 order by id', [id])).map(
    ({ type }) => type,
  )
const changeDepartment = (fields: object) => {
  const { id, name, code } = department
  return world.as(boss).put(`/departments/${id}`, { name, code, leaderId: leader.id, ...fields })
}

test('the steps of a request are its leader and any administrator, and keep who decided what', async () => {
  const request = await draft()
  expect(request).toMatchObject({ version: 0, steps: [], submittedAt: null })
  expect((await act(applicant, request, 'submit')).expect(200).steps).toMatchObject([
    { stepOrder: 1, approverType: 'DEPARTMENT_MANAGER', approverId: leader.id, status: 'PENDING' },
    { stepOrder: 2, approverType: 'ADMIN', approverId: null, status: 'WAITING' },
  ])
  expect((await act(leader, request, 'approve', { comment: 'Fine by me' })).expect(200).steps).toMatchObject([
    { status: 'APPROVED', actedBy: leader.id, comment: 'Fine by me' },
    { status: 'PENDING' },
  ])
  const approved = (await act(boss, request, 'approve')).expect(200)
  expect(approved).toMatchObject({ status: 'APPROVED', version: 3, completedAt: approved.updatedAt })

  const stepsAfter = async (person: Person, request: any, action: string) =>
    (await act(person, request, action)).expect(200).steps.map(({ status }: any) => status)
  expect(await stepsAfter(leader, await submitted(), 'reject')).toEqual(['REJECTED', 'CANCELLED'])
  expect(await stepsAfter(applicant, await submitted(), 'cancel')).toEqual(['CANCELLED', 'CANCELLED'])
})

test('a decision that is sent again by the same person returns its outcome', async () => {
  const request = await submitted()
  const outcomeOf = async (person: Person, action: string) =>
    (await act(person, request, action)).expect(409, 'ALREADY_DECIDED').details
  ;(await act(leader, request, 'approve')).expect(200)
  const made = { path: 'status', stepOrder: 1, decision: 'APPROVED', message: expect.any(String) }
  expect(await outcomeOf(leader, 'approve')).toEqual([{ ...made, status: 'PENDING', currentStep: 2 }])
  ;(await act(boss, request, 'reject')).expect(200)
  expect(await outcomeOf(leader, 'approve')).toEqual([{ ...made, status: 'REJECTED', currentStep: 2 }])
  expect(await outcomeOf(boss, 'reject')).toMatchObject([{ status: 'REJECTED', decision: 'REJECTED', stepOrder: 2 }])
})

test.each(['submit', 'approve', 'reject', 'cancel'])('%s is for the version that If-Match names', async (action) => {
  const request = action === 'submit' ? await draft() : await submitted()
  const person = action === 'submit' || action === 'cancel' ? applicant : leader
  const path = `/approvals/${request.id}`
  const etag = String((await world.as(person).get(path)).headers.etag)
  const send = (ifMatch: string) =>
    world.as(person).post(`${path}/${action}`, undefined, { 'if-match': ifMatch, 'idempotency-key': `key-${++keys}` })
  ;(await send('nonsense')).expect(400, 'VALIDATION_FAILED')
  ;(await send(`"${request.id}-9"`)).expect(412, 'PRECONDITION_FAILED')
  expect((await read(request, person)).status).toBe(request.status)
  const done = await send(etag)
  expect(done.expect(200).version).toBe(request.version + 1)
  expect(done.headers.etag).toBe((await world.as(person).get(path)).headers.etag)
})

test('lists are mine or to do', async () => {
  const request = await submitted()
  expect([await todo(leader), await todo(boss)]).toEqual([[request.id], []])
  expect([await ids(applicant, '?scope=mine'), await ids(leader, '?scope=mine')]).toEqual([[request.id], []])
  ;(await act(leader, request, 'approve')).expect(200)
  expect([await ids(leader), await todo(leader), await todo(boss)]).toEqual([[request.id], [], [request.id]])
})

test('those of one applicant are found among all that a person sees, however many of others are newer', async () => {
  const request = await submitted()
  for (let others = 0; others < 5; others++) {
    const draft = { type: 'LEAVE', title: 'A day off', departmentId: department.id }
    ;(await act(bystander, await made('/approvals', draft, bystander), 'submit')).expect(200)
  }
  const found = await world.as(leader).get(`/approvals?applicantId=${applicant.id}&pageSize=1`)
  expect(found.expect(200).map(({ id }: any) => id)).toEqual([request.id])
  expect(found.headers['x-total-count']).toBe('1')
})

describe('a leader who cannot act', () => {
  const LEADERS = () => ({ approverType: 'DEPARTMENT_MANAGER', approverId: leader.id, approverName: NAME })
  const NAME = expect.any(String)
  const PENDING = 'APPROVAL_PENDING'
  const ADMINISTRATORS = { approverType: 'ADMIN', approverId: null, approverName: null }
  const setStatus = async (status: string, { id } = leader) =>
    (await world.as(boss).put(`/users/${id}`, { status })).expect(200)

  test('is waited for by nobody: the administrators decide', async () => {
    const request = await submitted()
    expect(request.waitingFor).toEqual(LEADERS())
    await setStatus('disabled')
    expect((await act(boss, request, 'approve')).expect(200)).toMatchObject({
      currentStep: 2,
      steps: [{ status: 'APPROVED', actedBy: boss.id, approverId: leader.id }, { status: 'PENDING' }],
      waitingFor: ADMINISTRATORS,
    })
    expect((await act(boss, request, 'approve')).expect(200)).toMatchObject({ status: 'APPROVED', waitingFor: null })
  })

  test('at the time of submission is not told; the administrators are', async () => {
    await setStatus('disabled')
    const request = await submitted()
    expect(request.waitingFor).toEqual(ADMINISTRATORS)
    ;(await act(applicant, request, 'cancel')).expect(200)
    expect(await inbox(boss)).toEqual([PENDING, 'APPROVAL_CANCELLED'])
  })

  describe('hands on what waits, and everyone who inherits it is notified', () => {
    const putRoles = async (roleIds: number[]) =>
      (await world.as(boss).put(`/users/${leader.id}`, { roleIds })).expect(200)
    const ways: [string, (leads: boolean) => Promise<unknown>][] = [
      ['is disabled', (leads) => setStatus(leads ? 'active' : 'disabled')],
      [
        'loses the role',
        async (leads) => putRoles([await world.roleId(tenant, leads ? 'user' : await world.givenRole(tenant, []))]),
      ],
      [
        'leads a department that is disabled',
        async (leads) => (await changeDepartment({ status: leads ? 'active' : 'disabled' })).expect(200),
      ],
    ]

    test.each(ways)('when the leader %s, until they can act again', async (_, change) => {
      const request = await submitted()
      await change(false)
      expect((await read(request)).waitingFor).toEqual(ADMINISTRATORS)
      expect(await todo(boss)).toEqual([request.id])
      expect([401, 403]).toContain((await act(leader, request, 'approve')).status)
      expect([await inbox(leader), await inbox(boss)]).toEqual([[PENDING], [PENDING]])

      await change(true)
      expect((await read(request)).waitingFor).toEqual(LEADERS())
      ;(await act(boss, request, 'approve')).expect(403, 'NOT_CURRENT_APPROVER')
      expect(await todo(boss)).toEqual([])
      expect([await inbox(leader), await inbox(boss)]).toEqual([[PENDING, PENDING], [PENDING]])
    })

    test('when the role of the leader loses the permission', async () => {
      const id = await world.roleId(tenant, await world.givenRole(tenant, ['approval:action']))
      await putRoles([id])
      await submitted()
      ;(await world.as(boss).put(`/roles/${id}`, { permissionIds: [] })).expect(200)
      expect(await inbox(boss)).toEqual([PENDING])
    })

    test('also when a thousand older requests wait for others', async () => {
      await world.look.rows(
        `with request as (
           insert into approvals (tenant_id, type, title, applicant_id, department_id, status, current_step, created_at, updated_at)
           select $1, 'LEAVE', 'Older', $2, $3, 'PENDING', 1, now(), now() from generate_series(1, 1000) returning id)
         insert into approval_steps (tenant_id, approval_id, step_order, approver_type, approver_id, status)
         select $1, id, 1, 'DEPARTMENT_MANAGER', $4, 'PENDING' from request`,
        [tenant.id, applicant.id, department.id, bystander.id],
      )
      const id = await world.roleId(tenant, await world.givenRole(tenant, ['approval:action']))
      await putRoles([id])
      await submitted()
      ;(await world.as(boss).put(`/roles/${id}`, { permissionIds: [] })).expect(200)
      expect(await inbox(boss)).toEqual([PENDING])
    })

    test('but not of a request that they inherit nothing of', async () => {
      ;(await act(leader, await submitted(), 'approve')).expect(200)
      await setStatus('disabled')
      expect(await inbox(boss)).toEqual([PENDING])
    })
  })

  test('a department that is closed takes no requests', async () => {
    const request = await draft()
    ;(await changeDepartment({ status: 'disabled' })).expect(200)
    ;(await act(applicant, request, 'submit')).expect(409, 'DEPARTMENT_DISABLED')
    expect((await read(request, applicant)).status).toBe('DRAFT')
  })
})

describe('a draft', () => {
  const change = (person: Person, request: { id: number }, patch: object, headers = {}) =>
    world.as(person).put(`/approvals/${request.id}`, patch, headers)

  test('is changed by its applicant, in the version that was read', async () => {
    const request = await draft({ businessKey: 'PO-1' })
    const { headers } = await world.as(applicant).get(`/approvals/${request.id}`)
    const ifMatch = { 'if-match': String(headers.etag) }
    const patch = { title: 'Three days off', businessKey: null }

    const changed = (await change(applicant, request, patch, ifMatch)).expect(200)

    expect(changed).toMatchObject({ ...patch, type: 'LEAVE', version: 1 })
    expect(await read(request, applicant)).toEqual(changed)
    ;(await change(applicant, await submitted(), { version: 1, title: 'x' })).expect(409, 'ILLEGAL_TRANSITION')
    ;(await change(applicant, request, { title: 'x' }, ifMatch)).expect(412, 'PRECONDITION_FAILED')
    ;(await change(applicant, request, { title: 'x', version: 0 })).expect(409, 'VERSION_CONFLICT')
    ;(await change(applicant, request, { title: 'x' })).expect(400, 'VALIDATION_FAILED')
    ;(await change(applicant, request, { version: 1, departmentId: 987_654_321 })).expect(404, 'NOT_FOUND')
    ;(await change(boss, request, { version: 1 })).expect(403, 'NOT_APPLICANT')
    ;(await change(bystander, request, { version: 1 })).expect(404, 'NOT_FOUND')
  })

  test('for a department that has gone is handed in for another', async () => {
    const request = await draft()
    ;(await changeDepartment({ leaderId: undefined })).expect(200)
    ;(await world.as(boss).delete(`/departments/${department.id}/members/${leader.id}`)).expect(200)
    ;(await world.as(boss).delete(`/departments/${department.id}`)).expect(200)
    ;(await act(applicant, request, 'submit')).expect(404, 'NOT_FOUND')
    const other = await made('/departments', { name: 'Finance', code: 'FIN', leaderId: bystander.id })
    const changed = (await change(applicant, request, { version: 0, departmentId: other.id })).expect(200)
    expect(changed.departmentName).toBe('Finance')
    ;(await act(applicant, request, 'submit')).expect(200)
  })
})
