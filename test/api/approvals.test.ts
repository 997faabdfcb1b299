import { beforeEach, describe, expect, test } from 'vitest'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

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
  ;[applicant, leader, bystander] = [
    await world.givenUser(tenant),
    await world.givenUser(tenant),
    await world.givenUser(tenant),
  ]
  department = (
    await world.as(boss).post('/departments', { name: 'Sales', code: 'SALES', leaderId: leader.id })
  ).expect(201)
})

let keys = 0
const draft = async (fields: object = {}) =>
  (
    await world
      .as(applicant)
      .post('/approvals', { type: 'LEAVE', title: 'Two days off', departmentId: department.id, ...fields })
  ).expect(201)
const act = (person: Person, approval: { id: number }, action: string, body?: object) =>
  world
    .as(person)
    .post(
      `/approvals/${approval.id}/${action}`,
      body,
      action === 'submit' ? { 'idempotency-key': `key-${++keys}` } : {},
    )
const submitted = async () => (await act(applicant, await draft(), 'submit')).expect(200)
const inbox = async (person: Person) =>
  (await world.as(person).get('/notifications'))
    .expect(200)
    .map((news: any) => news.type)
    .reverse()

describe('the way of a request', () => {
  test('leads over the leader to any administrator', async () => {
    const request = await draft()
    expect(request).toMatchObject({ status: 'DRAFT', currentStep: 0, version: 0, steps: [], submittedAt: null })

    const pending = (await act(applicant, request, 'submit')).expect(200)
    expect(pending).toMatchObject({ status: 'PENDING', currentStep: 1, version: 1 })
    expect(pending.steps).toMatchObject([
      { stepOrder: 1, approverType: 'DEPARTMENT_MANAGER', approverId: leader.id, status: 'PENDING' },
      { stepOrder: 2, approverType: 'ADMIN', approverId: null, status: 'WAITING' },
    ])

    const halfway = (await act(leader, request, 'approve', { comment: 'Fine by me' })).expect(200)
    expect(halfway).toMatchObject({ status: 'PENDING', currentStep: 2, version: 2, completedAt: null })
    expect(halfway.steps).toMatchObject([
      { status: 'APPROVED', actedBy: leader.id, comment: 'Fine by me' },
      { status: 'PENDING' },
    ])

    const approved = (await act(boss, request, 'approve')).expect(200)
    expect(approved).toMatchObject({ status: 'APPROVED', version: 3, completedAt: approved.updatedAt })
    expect((await world.as(applicant).get(`/approvals/${request.id}`)).expect(200)).toEqual(approved)
    expect([await inbox(leader), await inbox(boss), await inbox(applicant)]).toEqual([
      ['APPROVAL_PENDING'],
      ['APPROVAL_PENDING'],
      ['APPROVAL_APPROVED'],
    ])
  })

  test('ends with a rejection at either step, which closes what is open', async () => {
    const first = await submitted()
    const rejected = (await act(leader, first, 'reject', { comment: 'No' })).expect(200)
    expect(rejected).toMatchObject({
      status: 'REJECTED',
      steps: [{ status: 'REJECTED', comment: 'No' }, { status: 'CANCELLED' }],
    })
    const second = await submitted()
    ;(await act(leader, second, 'approve')).expect(200)
    expect((await act(boss, second, 'reject')).expect(200)).toMatchObject({
      status: 'REJECTED',
      steps: [{ status: 'APPROVED' }, { status: 'REJECTED' }],
    })
    expect(await inbox(applicant)).toEqual(['APPROVAL_REJECTED', 'APPROVAL_REJECTED'])
  })

  test('can be left by the applicant, and the person it waited for is notified', async () => {
    const request = await submitted()
    ;(await act(leader, request, 'cancel')).expect(403, 'NOT_APPLICANT')
    expect((await act(applicant, request, 'cancel')).expect(200)).toMatchObject({
      status: 'CANCELLED',
      steps: [{ status: 'CANCELLED' }, { status: 'CANCELLED' }],
    })
    ;(await act(applicant, await draft(), 'cancel')).expect(200)
    expect(await inbox(leader)).toEqual(['APPROVAL_PENDING', 'APPROVAL_CANCELLED'])
  })
})

describe('refusals', () => {
  test('a decision belongs to the current step', async () => {
    const request = await submitted()
    ;(await act(boss, request, 'approve')).expect(403, 'NOT_CURRENT_APPROVER')
    ;(await act(applicant, request, 'approve')).expect(403, 'NOT_CURRENT_APPROVER')
    ;(await act(leader, request, 'approve')).expect(200)
    ;(await act(leader, request, 'reject')).expect(403, 'NOT_CURRENT_APPROVER')
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
    ;(await act(boss, request, 'approve')).expect(409, 'ILLEGAL_TRANSITION')
  })

  test.each(['submit', 'approve', 'reject', 'cancel'])('%s is for the version that If-Match names', async (action) => {
    const request = action === 'submit' ? await draft() : await submitted()
    const person = action === 'submit' || action === 'cancel' ? applicant : leader
    const path = `/approvals/${request.id}`
    const etag = String((await world.as(person).get(path)).headers.etag)
    const send = (ifMatch: string) =>
      world.as(person).post(`${path}/${action}`, undefined, {
        'if-match': ifMatch,
        'idempotency-key': crypto.randomUUID(),
      })
    ;(await send('nonsense')).expect(400, 'VALIDATION_FAILED')
    ;(await send(`"${request.id}-9"`)).expect(412, 'PRECONDITION_FAILED')
    expect((await world.as(person).get(path)).expect(200).status).toBe(request.status)
    const done = await send(etag)
    expect(done.expect(200).version).toBe(request.version + 1)
    expect(done.headers.etag).toBe((await world.as(person).get(path)).headers.etag)
  })

  test('what has ended stays ended', async () => {
    const request = await submitted()
    ;(await act(leader, request, 'reject')).expect(200)
    for (const [person, action] of [
      [leader, 'approve'],
      [applicant, 'cancel'],
      [applicant, 'submit'],
    ] as const)
      (await act(person, request, action)).expect(409, 'ILLEGAL_TRANSITION')
  })

  test('a draft needs a department that has a leader', async () => {
    ;(await act(applicant, await draft({ departmentId: null }), 'submit')).expect(400, 'DEPARTMENT_REQUIRED')
    const empty = (await world.as(boss).post('/departments', { name: 'Empty', code: 'EMPTY' })).expect(201)
    ;(await act(applicant, await draft({ departmentId: empty.id }), 'submit')).expect(400, 'DEPARTMENT_HAS_NO_LEADER')
    ;(await world.as(applicant).post('/approvals', { type: 'x', title: 'x', departmentId: 999_999 })).expect(
      404,
      'NOT_FOUND',
    )
  })

  test('a stranger sees nothing; one who may see it but is not the applicant cannot submit', async () => {
    const request = await draft()
    ;(await act(bystander, request, 'submit')).expect(404, 'NOT_FOUND')
    ;(await world.as(bystander).get(`/approvals/${request.id}`)).expect(404, 'NOT_FOUND')
    ;(await act(boss, request, 'submit')).expect(403, 'NOT_APPLICANT')
  })

  test('a key works for one submission', async () => {
    const [one, other] = [await draft(), await draft()]
    const key = { 'idempotency-key': 'only-once' }
    ;(await world.as(applicant).post(`/approvals/${one.id}/submit`, undefined, key)).expect(200)
    ;(await world.as(applicant).post(`/approvals/${other.id}/submit`, undefined, key)).expect(
      409,
      'IDEMPOTENCY_KEY_REUSED',
    )
    ;(await world.as(applicant).post(`/approvals/${other.id}/submit`)).expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
  })
})

describe('who sees what', () => {
  test('lists are mine, to do, or all that I may see', async () => {
    const request = await submitted()
    const ids = async (person: Person, query = '') =>
      (await world.as(person).get(`/approvals${query}`)).expect(200).map((approval: any) => approval.id)
    expect([await ids(applicant), await ids(leader), await ids(boss), await ids(bystander)]).toEqual([
      [request.id],
      [request.id],
      [request.id],
      [],
    ])
    expect([
      await ids(leader, '?scope=todo'),
      await ids(boss, '?scope=todo'),
      await ids(leader, '?scope=mine'),
    ]).toEqual([[request.id], [], []])
    ;(await act(leader, request, 'approve')).expect(200)
    expect([await ids(leader), await ids(leader, '?scope=todo'), await ids(boss, '?scope=todo')]).toEqual([
      [request.id],
      [],
      [request.id],
    ])
  })
})

describe('a changed leader', () => {
  test('inherits what waits, and is notified', async () => {
    const request = await submitted()
    const form = { name: department.name, code: department.code }
    ;(await world.as(boss).put(`/departments/${department.id}`, form)).expect(409, 'APPROVALS_WAITING')
    ;(await world.as(boss).put(`/departments/${department.id}`, { ...form, leaderId: bystander.id })).expect(200)
    ;(await act(leader, request, 'approve')).expect(404, 'NOT_FOUND')
    ;(await act(bystander, request, 'approve')).expect(200)
    expect(await inbox(bystander)).toEqual(['APPROVAL_PENDING'])
    ;(await world.as(boss).delete(`/departments/${department.id}`)).expect(409, 'DEPARTMENT_NOT_EMPTY')
  })
})

describe('decisions at the same moment', () => {
  test.each([
    ['approve', 'approve'],
    ['approve', 'reject'],
  ])('%s against %s: exactly one wins', async (one, other) => {
    const request = await submitted()
    const answers = await Promise.all([act(leader, request, one), act(leader, request, other)])
    const winners = answers.filter((answer) => answer.status === 200)
    expect(winners).toHaveLength(1)
    expect([403, 409]).toContain(answers.find((answer) => answer.status !== 200)!.status)
  })

  test('two administrators: one decides, one comes too late', async () => {
    const request = await submitted()
    ;(await act(leader, request, 'approve')).expect(200)
    const statuses = (await Promise.all([act(boss, request, 'approve'), act(boss, request, 'reject')])).map(
      (answer) => answer.status,
    )
    expect(statuses.sort()).toEqual([200, 409])
    expect(await inbox(applicant)).toHaveLength(1)
  })
})

describe('a leader who cannot act', () => {
  const waiting = async (request: { id: number }) =>
    (await world.as(boss).get(`/approvals/${request.id}`)).expect(200).waitingFor
  const todo = async (person: Person) =>
    (await world.as(person).get('/approvals?scope=todo')).expect(200).map(({ id }: any) => id)
  const LEADERS = () => ({
    approverType: 'DEPARTMENT_MANAGER',
    approverId: leader.id,
    approverName: expect.any(String),
  })
  const ADMINISTRATORS = { approverType: 'ADMIN', approverId: null, approverName: null }
  const form = () => ({ name: department.name, code: department.code, leaderId: leader.id })
  const setStatus = async (status: string) => (await world.as(boss).put(`/users/${leader.id}`, { status })).expect(200)

  test('is waited for by nobody: the administrators decide', async () => {
    const request = await submitted()
    expect(request.waitingFor).toEqual(LEADERS())
    expect([await todo(leader), await todo(boss)]).toEqual([[request.id], []])

    await setStatus('disabled')
    expect(await waiting(request)).toEqual(ADMINISTRATORS)
    expect(await todo(boss)).toEqual([request.id])
    expect((await act(boss, request, 'approve')).expect(200)).toMatchObject({
      currentStep: 2,
      steps: [{ status: 'APPROVED', actedBy: boss.id, approverId: leader.id }, { status: 'PENDING' }],
      waitingFor: ADMINISTRATORS,
    })
    expect((await act(boss, request, 'approve')).expect(200)).toMatchObject({ status: 'APPROVED', waitingFor: null })
  })

  test('finds what waited when they are back', async () => {
    const request = await submitted()
    await setStatus('disabled')
    await setStatus('active')
    expect(await waiting(request)).toEqual(LEADERS())
    ;(await act(boss, request, 'approve')).expect(403, 'NOT_CURRENT_APPROVER')
    // A disabled person signs in again.
    expect(await todo(boss)).toEqual([])
  })

  test.each([
    ['holds no permission for it', () => world.look.rows('delete from user_roles where user_id = $1', [leader.id])],
    [
      'leads a department that is closed',
      async () =>
        (await world.as(boss).put(`/departments/${department.id}`, { ...form(), status: 'disabled' })).expect(200),
    ],
  ])('because one %s is stood in for just so', async (_, change) => {
    const request = await submitted()
    await change()
    expect(await waiting(request)).toEqual(ADMINISTRATORS)
    expect([await todo(leader), await todo(boss)]).toEqual([[], [request.id]])
    expect((await world.as(leader).post(`/approvals/${request.id}/approve`)).status).toBe(403)
    ;(await act(boss, request, 'reject')).expect(200)
  })

  test('at the time of submission is not told; the administrators are', async () => {
    await setStatus('disabled')
    const request = await submitted()
    expect(request.waitingFor).toEqual(ADMINISTRATORS)
    expect(await inbox(boss)).toEqual(['APPROVAL_PENDING'])
    ;(await act(applicant, request, 'cancel')).expect(200)
    expect(await inbox(boss)).toEqual(['APPROVAL_PENDING', 'APPROVAL_CANCELLED'])
  })

  describe('hands on what waits, and everyone who inherits it is notified', () => {
    /** Read from the table: a person who was disabled has no session. */
    const received = async ({ id }: Person) =>
      (await world.look.rows('select type from notifications where receiver_id = $1 order by id', [id])).map(
        ({ type }) => type,
      )
    const ways: [string, (leads: boolean) => Promise<unknown>][] = [
      ['is disabled', (leads) => setStatus(leads ? 'active' : 'disabled')],
      [
        'loses the role',
        async (leads) => {
          const roles = (await world.as(boss).get('/roles?pageSize=100')).expect(200).items
          const role = roles.find(({ code }: any) => code === (leads ? 'user' : 'bare')) ?? (await bareRole())
          ;(await world.as(boss).put(`/users/${leader.id}`, { roleIds: [role.id] })).expect(200)
        },
      ],
      [
        'leads a department that is disabled',
        async (leads) =>
          (
            await world
              .as(boss)
              .put(`/departments/${department.id}`, { ...form(), status: leads ? 'active' : 'disabled' })
          ).expect(200),
      ],
    ]
    const bareRole = async () => (await world.as(boss).post('/roles', { name: 'Bare', code: 'bare' })).expect(201)

    test.each(ways)('when the leader %s', async (_, change) => {
      await submitted()
      expect([await received(leader), await received(boss)]).toEqual([['APPROVAL_PENDING'], []])

      await change(false)
      expect(await received(boss)).toEqual(['APPROVAL_PENDING'])

      await change(true)
      expect([await received(leader), await received(boss)]).toEqual([
        ['APPROVAL_PENDING', 'APPROVAL_PENDING'],
        ['APPROVAL_PENDING'],
      ])
    })

    test('when the role of the leader loses the permission', async () => {
      const permissions = (await world.as(boss).get('/permissions')).expect(200)
      const action = permissions.find(({ code }: any) => code === 'approval:action')
      const role = (
        await world.as(boss).post('/roles', { name: 'Decides', code: 'decides', permissionIds: [action.id] })
      ).expect(201)
      ;(await world.as(boss).put(`/users/${leader.id}`, { roleIds: [role.id] })).expect(200)
      await submitted()
      ;(await world.as(boss).put(`/roles/${role.id}`, { permissionIds: [] })).expect(200)
      expect(await inbox(boss)).toEqual(['APPROVAL_PENDING'])
    })

    test('but not of a request that they inherit nothing of', async () => {
      const request = await submitted()
      ;(await act(leader, request, 'approve')).expect(200)
      await setStatus('disabled')
      expect(await inbox(boss)).toEqual(['APPROVAL_PENDING'])
    })
  })

  test('is not named: somebody who is disabled leads no department', async () => {
    await world.as(boss).put(`/users/${bystander.id}`, { status: 'disabled' })
    const named = { name: 'Later', code: 'LATER', leaderId: bystander.id }
    ;(await world.as(boss).post('/departments', named)).expect(404, 'NOT_FOUND')
    ;(await world.as(boss).put(`/departments/${department.id}`, { ...form(), leaderId: bystander.id })).expect(
      404,
      'NOT_FOUND',
    )
  })

  test('a department that is closed takes no requests', async () => {
    const request = await draft()
    ;(await world.as(boss).put(`/departments/${department.id}`, { ...form(), status: 'disabled' })).expect(200)
    ;(await act(applicant, request, 'submit')).expect(409, 'DEPARTMENT_DISABLED')
    expect((await world.as(applicant).get(`/approvals/${request.id}`)).expect(200)).toMatchObject({ status: 'DRAFT' })
  })
})

describe('a draft', () => {
  const change = (person: Person, request: { id: number }, patch: object, headers = {}) =>
    world.as(person).put(`/approvals/${request.id}`, patch, headers)

  test('is changed by its applicant, in the version that was read', async () => {
    const request = await draft({ businessKey: 'PO-1' })
    const read = await world.as(applicant).get(`/approvals/${request.id}`)
    const ifMatch = { 'if-match': String(read.headers.etag) }

    const changed = (await change(applicant, request, { title: 'Three days off', businessKey: null }, ifMatch)).expect(
      200,
    )

    expect(changed).toMatchObject({ title: 'Three days off', businessKey: null, type: 'LEAVE', version: 1 })
    expect((await world.as(applicant).get(`/approvals/${request.id}`)).expect(200)).toEqual(changed)
    ;(await change(applicant, request, { title: 'x' }, ifMatch)).expect(412, 'PRECONDITION_FAILED')
    ;(await change(applicant, request, { title: 'x', version: 0 })).expect(409, 'VERSION_CONFLICT')
    ;(await change(applicant, request, { title: 'x' })).expect(400, 'VALIDATION_FAILED')
    ;(await change(applicant, request, { version: 1, departmentId: 987_654_321 })).expect(404, 'NOT_FOUND')
    ;(await change(boss, request, { version: 1 })).expect(403, 'NOT_APPLICANT')
    ;(await change(bystander, request, { version: 1 })).expect(404, 'NOT_FOUND')
  })

  test('is changed no more once it was handed in', async () => {
    const request = await submitted()
    ;(await change(applicant, request, { version: 1, title: 'x' })).expect(409, 'ILLEGAL_TRANSITION')
  })

  test('for a department that has gone is handed in for another', async () => {
    const request = await draft()
    await removeDepartment()
    ;(await act(applicant, request, 'submit')).expect(404, 'NOT_FOUND')
    const other = (
      await world.as(boss).post('/departments', { name: 'Finance', code: 'FIN', leaderId: bystander.id })
    ).expect(201)
    expect((await change(applicant, request, { version: 0, departmentId: other.id })).expect(200)).toMatchObject({
      departmentName: 'Finance',
    })
    ;(await act(applicant, request, 'submit')).expect(200)
  })
})

test('what has ended keeps which department it was for, and what that was called', async () => {
  const request = await submitted()
  ;(await act(leader, request, 'reject')).expect(200)
  const form = { code: department.code, leaderId: leader.id }
  ;(await world.as(boss).put(`/departments/${department.id}`, { ...form, name: 'Revenue' })).expect(200)
  await removeDepartment()
  expect((await world.as(applicant).get(`/approvals/${request.id}`)).expect(200)).toMatchObject({
    departmentId: department.id,
    departmentName: 'Sales',
  })
})

async function removeDepartment() {
  const { id, name, code } = department
  ;(await world.as(boss).put(`/departments/${id}`, { name, code })).expect(200)
  ;(await world.as(boss).delete(`/departments/${id}/members/${leader.id}`)).expect(200)
  ;(await world.as(boss).delete(`/departments/${id}`)).expect(200)
}
