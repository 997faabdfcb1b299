import { describe, expect, test } from 'vitest'
import { openWorld, type Person } from '../support/world.ts'

/** Five people of one company, two of whom are its administrators, and somebody who runs another. */
const world = await openWorld()
const company = await world.givenTenant()
const people: Record<Who, Person> = {
  applicant: await world.givenUser(company),
  leader: await world.givenUser(company),
  administrator: company.administrator,
  colleague: await world.givenUser(company),
  stranger: (await world.givenTenant()).administrator,
}
const deputy = await world.givenUser(company, 'tenant-admin')
const as = (who: Who) => world.as(people[who])
const department = await givenDepartment('SALES', people.leader)

const WHO = ['applicant', 'leader', 'administrator', 'colleague', 'stranger'] as const
type Who = (typeof WHO)[number]
const ACTIONS = ['submit', 'approve', 'reject', 'cancel'] as const
type Action = (typeof ACTIONS)[number]
type Step = readonly [Who, Action]

/** The states of a request, and the shortest path to each. */
const SUBMITTED = ['applicant', 'submit'] as const
const AGREED = ['leader', 'approve'] as const
const WAYS = {
  'a draft': [],
  'waiting for its leader': [SUBMITTED],
  'waiting for an administrator': [SUBMITTED, AGREED],
  approved: [SUBMITTED, AGREED, ['administrator', 'approve']],
  'rejected by its leader': [SUBMITTED, ['leader', 'reject']],
  'rejected by an administrator': [SUBMITTED, AGREED, ['administrator', 'reject']],
  'taken back as a draft': [['applicant', 'cancel']],
  'taken back from its leader': [SUBMITTED, ['applicant', 'cancel']],
  'taken back from the administrators': [SUBMITTED, AGREED, ['applicant', 'cancel']],
} as const satisfies Record<string, readonly Step[]>
type State = keyof typeof WAYS

const GONE = '404 NOT_FOUND'
const LATE = '409 ILLEGAL_TRANSITION'
const MADE = '409 ALREADY_DECIDED'
const NOT_MINE = '403 NOT_APPLICANT'
const NOT_NOW = '403 NOT_CURRENT_APPROVER'
const OK = '200'
const unseen = [GONE, GONE, GONE, GONE] as const
const ended = {
  applicant: [LATE, LATE, LATE, LATE],
  leader: [NOT_MINE, LATE, LATE, NOT_MINE],
  administrator: [NOT_MINE, LATE, LATE, NOT_MINE],
} as const

/** What each person is answered who submits, approves, rejects and cancels. Colleagues and strangers find nothing, ever. */
const ANSWERS: Record<State, Record<'applicant' | 'leader' | 'administrator', readonly string[]>> = {
  'a draft': {
    applicant: [OK, LATE, LATE, OK],
    leader: unseen,
    administrator: [NOT_MINE, LATE, LATE, NOT_MINE],
  },
  'waiting for its leader': {
    applicant: [LATE, NOT_NOW, NOT_NOW, OK],
    leader: [NOT_MINE, OK, OK, NOT_MINE],
    administrator: [NOT_MINE, NOT_NOW, NOT_NOW, NOT_MINE],
  },
  'waiting for an administrator': {
    applicant: [LATE, NOT_NOW, NOT_NOW, OK],
    leader: [NOT_MINE, MADE, NOT_NOW, NOT_MINE],
    administrator: [NOT_MINE, OK, OK, NOT_MINE],
  },
  approved: {
    ...ended,
    leader: [NOT_MINE, MADE, LATE, NOT_MINE],
    administrator: [NOT_MINE, MADE, LATE, NOT_MINE],
  },
  'rejected by its leader': { ...ended, leader: [NOT_MINE, LATE, MADE, NOT_MINE] },
  'rejected by an administrator': {
    ...ended,
    leader: [NOT_MINE, MADE, LATE, NOT_MINE],
    administrator: [NOT_MINE, LATE, MADE, NOT_MINE],
  },
  'taken back as a draft': { ...ended, leader: unseen },
  'taken back from its leader': ended,
  'taken back from the administrators': { ...ended, leader: [NOT_MINE, MADE, LATE, NOT_MINE] },
}
const answerTo = (state: State, who: Who, action: Action): string =>
  ({ ...ANSWERS[state], colleague: unseen, stranger: unseen })[who][ACTIONS.indexOf(action)]!
const cellsOf = (state: State) =>
  WHO.flatMap((who) => ACTIONS.map((action) => ({ who, action, wanted: answerTo(state, who, action) })))

describe.each(Object.keys(WAYS) as State[])('a request that is %s', (state) => {
  test('is read by those whom it concerns, and refuses everybody whatever they may not do', async () => {
    const request = await givenRequest(state)
    for (const who of WHO) {
      const found = answerTo(state, who, 'cancel') !== GONE
      ;(await as(who).get(`/approvals/${request.id}`)).expect(found ? 200 : 404, found ? undefined : 'NOT_FOUND')
      const list = await as(who).read(`/approvals?status=${request.status}`)
      expect([who, list.some(({ id }: any) => id === request.id)]).toEqual([who, found])
    }
    const before = await everything(request)
    for (const { who, action, wanted } of cellsOf(state)) {
      if (wanted === OK) continue
      const answer = await act(who, request, action)
      expect([who, action, `${answer.status} ${answer.error?.type}`]).toEqual([who, action, wanted])
    }
    expect(await everything(request)).toEqual(before)
  })

  test.each(cellsOf(state).filter(({ wanted }) => wanted === OK))('lets the $who $action', async ({ who, action }) => {
    const request = await givenRequest(state)
    const after = (await act(who, request, action)).expect(200)
    expect(after).toMatchObject({ version: request.version + 1, ...AFTER[action](request) })
    expect(await as('applicant').read(`/approvals/${request.id}`)).toEqual(after)
  })
})

const closing = expect.stringMatching(/Z$/)
const AFTER: Record<Action, (request: any) => object> = {
  submit: () => ({ status: 'PENDING', currentStep: 1, submittedAt: closing, completedAt: null }),
  approve: ({ currentStep }) =>
    currentStep === 1
      ? { status: 'PENDING', currentStep: 2, completedAt: null }
      : { status: 'APPROVED', currentStep: 2, completedAt: closing },
  reject: () => ({ status: 'REJECTED', completedAt: closing }),
  cancel: () => ({ status: 'CANCELLED', completedAt: closing }),
}

describe('who is notified', () => {
  const PENDING = 'APPROVAL_PENDING'
  const administrators = (...types: string[]) => ({ administrator: types, deputy: types })
  test.each<[State, Record<string, string[]>]>([
    ['taken back as a draft', {}],
    ['approved', { leader: [PENDING], ...administrators(PENDING), applicant: ['APPROVAL_APPROVED'] }],
    ['rejected by its leader', { leader: [PENDING], applicant: ['APPROVAL_REJECTED'] }],
    [
      'rejected by an administrator',
      { leader: [PENDING], ...administrators(PENDING), applicant: ['APPROVAL_REJECTED'] },
    ],
    ['taken back from its leader', { leader: [PENDING, 'APPROVAL_CANCELLED'] }],
    ['taken back from the administrators', { leader: [PENDING], ...administrators(PENDING, 'APPROVAL_CANCELLED') }],
  ])('of a request that is %s', async (state, wanted) => {
    expect(await told(await givenRequest(state))).toEqual(wanted)
  })

  test('of their own doing only where they must act next', async () => {
    const { administrator } = people
    const cast = { ...people, applicant: administrator, leader: administrator }
    const board = await givenDepartment('BOARD', administrator)

    const approved = await givenRequest('approved', cast, board)
    const back = await givenRequest('taken back from the administrators', cast, board)

    expect(await told(approved)).toEqual({ administrator: [PENDING, PENDING], deputy: [PENDING] })
    expect(await told(back)).toEqual({ administrator: [PENDING, PENDING], deputy: [PENDING, 'APPROVAL_CANCELLED'] })
  })

  test('of a request that passes to a new leader: the new one, once, and not the old one again', async () => {
    const [leader, next] = [await world.givenUser(company), await world.givenUser(company)]
    const cast = { ...people, leader, colleague: next }
    const moving = await givenDepartment('MOVING', leader)
    const request = await givenRequest('waiting for its leader', cast, moving)
    const form = { name: 'MOVING', code: 'MOVING', leaderId: next.id }
    for (const _ of ['once', 'again']) (await as('administrator').put(`/departments/${moving.id}`, form)).expect(200)

    ;(await actAs(next, request, 'approve')).expect(200)

    expect(await told(request, cast)).toEqual({ leader: [PENDING], colleague: [PENDING], ...administrators(PENDING) })
  })
})

test('the key of a submission is free again after a refusal, and is looked at before the state', async () => {
  const submit = ({ id }: { id: number }, key: string) =>
    as('applicant').post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': key })
  const empty = await givenDepartment('EMPTY')
  const good = await givenDraft()
  ;(await submit(await givenDraft({ departmentId: null }), 'a-key')).expect(400, 'DEPARTMENT_REQUIRED')
  ;(await submit(await givenDraft({ departmentId: empty.id }), 'a-key')).expect(400, 'DEPARTMENT_HAS_NO_LEADER')
  ;(await submit(await givenRequest('approved'), 'a-key')).expect(409, 'ILLEGAL_TRANSITION')
  ;(await submit(good, '')).expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
  ;(await submit(good, 'a-key')).expect(200)
  ;(await submit(good, 'a-key')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
})

test('a draft keeps to the letter what it was given, within its limits, and so does the word of a decision', async () => {
  const draft = {
    type: 'x'.repeat(64),
    title: 'ü'.repeat(255),
    businessKey: '季'.repeat(128),
    payload: `{"days": 2}${' '.repeat(9_989)}`,
  }
  const made = await givenDraft(draft)
  expect(made).toMatchObject({ ...draft, departmentId: department.id, status: 'DRAFT', currentStep: 0, steps: [] })
  expect(await as('applicant').read(`/approvals/${made.id}`)).toEqual(made)

  const wrong = { type: 'x'.repeat(65), title: '  ', businessKey: 'x'.repeat(129), payload: { days: 2 } }
  const { details } = (await as('applicant').post('/approvals', wrong)).expect(400, 'VALIDATION_FAILED')
  expect(details.map(({ path }: any) => path)).toEqual(Object.keys(wrong).map((field) => `body.${field}`))
  const longer = { ...draft, payload: 'x'.repeat(10_001) }
  ;(await as('applicant').post('/approvals', longer)).expect(400, 'VALIDATION_FAILED')

  const { id } = await givenRequest('waiting for its leader')
  const approve = (comment: string) => as('leader').post(`/approvals/${id}/approve`, { comment })
  ;(await approve('x'.repeat(1001))).expect(400, 'VALIDATION_FAILED')
  expect((await approve(` ${'x'.repeat(1000)} `)).expect(200).steps[0].comment).toBe('x'.repeat(1000))
})

let keys = 0
const actAs = (person: Person, { id }: { id: number }, action: Action) =>
  world.as(person).post(`/approvals/${id}/${action}`, undefined, { 'idempotency-key': `key-${++keys}` })
const act = (who: Who, request: { id: number }, action: Action) => actAs(people[who], request, action)

async function givenDepartment(code: string, leader?: Person) {
  const draft = { name: code, code, ...(leader && { leaderId: leader.id }) }
  return await as('administrator').create('/departments', draft)
}

async function givenDraft(fields: object = {}, applicant = people.applicant) {
  const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id, ...fields }
  return await world.as(applicant).create('/approvals', draft)
}

async function givenRequest(state: State, cast = people, led: { id: number } = department) {
  let request = await givenDraft({ departmentId: led.id }, cast.applicant)
  for (const [who, action] of WAYS[state]) request = (await actAs(cast[who], request, action)).expect(200)
  return request
}

/** All that a refused action could have changed. */
async function everything({ id }: { id: number }) {
  const count = (table: string) => world.look.count(`select count(*) from ${table}`)
  return {
    request: await as('administrator').read(`/approvals/${id}`),
    notifications: await count('notifications'),
    news: await count('outbox'),
    keys: await count('idempotency_keys'),
  }
}

/** What each was notified of about the request, oldest first. */
async function told({ id }: { id: number }, cast = people): Promise<Record<string, string[]>> {
  const rows = await world.look.rows<{ receiver: number; types: string[] }>(
    `select receiver_id::float8 as receiver, array_agg(type order by id) as types from notifications
      where tenant_id = $1 and resource_type = 'approval' and resource_id = $2 group by 1`,
    [company.id, id],
  )
  const nameOf = new Map(Object.entries({ ...cast, deputy }).map(([name, person]) => [person.id, name]))
  return Object.fromEntries(rows.map(({ receiver, types }) => [nameOf.get(receiver) ?? receiver, types]))
}
