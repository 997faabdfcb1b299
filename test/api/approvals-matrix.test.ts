import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRemote, type Remote } from '../support/remote.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/** Over real connections: four people of one company, and somebody who runs another. */
let world: World
let remote: Remote
let people: Record<Who, Person>
let department: { id: number }
beforeAll(async () => {
  world = await openWorld()
  await world.app.listen({ port: 0, host: '127.0.0.1' })
  remote = openRemote((world.app.server.address() as { port: number }).port)
  const company = await world.givenTenant()
  const user = () => world.givenUser(company)
  people = {
    applicant: await user(),
    leader: await user(),
    administrator: company.administrator,
    colleague: await user(),
    stranger: (await world.givenTenant()).administrator,
  }
  department = await givenDepartment('SALES', 'leader')
})
afterAll(async () => {
  remote?.close()
  await world?.close()
})

const WHO = ['applicant', 'leader', 'administrator', 'colleague', 'stranger'] as const
type Who = (typeof WHO)[number]
const ACTIONS = ['submit', 'approve', 'reject', 'cancel'] as const
type Action = (typeof ACTIONS)[number]
type Step = readonly [Who, Action]

/** The states of a request, and the shortest path to each. */
const WAYS = {
  'a draft': [],
  'waiting for its leader': [['applicant', 'submit']],
  'waiting for an administrator': [
    ['applicant', 'submit'],
    ['leader', 'approve'],
  ],
  approved: [
    ['applicant', 'submit'],
    ['leader', 'approve'],
    ['administrator', 'approve'],
  ],
  'rejected by its leader': [
    ['applicant', 'submit'],
    ['leader', 'reject'],
  ],
  'rejected by an administrator': [
    ['applicant', 'submit'],
    ['leader', 'approve'],
    ['administrator', 'reject'],
  ],
  'taken back as a draft': [['applicant', 'cancel']],
  'taken back from its leader': [
    ['applicant', 'submit'],
    ['applicant', 'cancel'],
  ],
  'taken back from the administrators': [
    ['applicant', 'submit'],
    ['leader', 'approve'],
    ['applicant', 'cancel'],
  ],
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
  test('refuses everybody whatever they may not do, and stays as it is', async () => {
    const request = await givenRequest(state)
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
    expect((await as('applicant').get(`/approvals/${request.id}`)).expect(200)).toEqual(after)
  })

  test('is read by those whom it concerns', async () => {
    const request = await givenRequest(state)
    for (const who of WHO) {
      const found = answerTo(state, who, 'cancel') !== GONE
      ;(await as(who).get(`/approvals/${request.id}`)).expect(found ? 200 : 404, found ? undefined : 'NOT_FOUND')
      const list = (await as(who).get(`/approvals?status=${request.status}`)).expect(200)
      expect([who, list.some(({ id }: any) => id === request.id)]).toEqual([who, found])
    }
  })

  test('is open to nobody without a token or the permission', async () => {
    const request = await givenRequest(state)
    const outsider = await world.givenUser(
      { id: request.tenantId },
      await world.givenRole({ id: request.tenantId }, []),
    )
    for (const action of ACTIONS) {
      ;(await remote.as().post(`/approvals/${request.id}/${action}`)).expect(401, 'UNAUTHENTICATED')
      ;(await remote.as(outsider.token).post(`/approvals/${request.id}/${action}`)).expect(403, 'PERMISSION_DENIED')
    }
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
  test.each<[string, readonly Step[], Record<string, string[]>]>([
    ['of nothing while it is a draft', [['applicant', 'cancel']], {}],
    [
      'of a way to its end',
      [
        ['applicant', 'submit'],
        ['leader', 'approve'],
        ['administrator', 'approve'],
      ],
      {
        leader: [PENDING],
        administrator: [PENDING],
        deputy: [PENDING],
        applicant: ['APPROVAL_APPROVED'],
      },
    ],
    [
      'of a rejection by the leader',
      [
        ['applicant', 'submit'],
        ['leader', 'reject'],
      ],
      { leader: [PENDING], applicant: ['APPROVAL_REJECTED'] },
    ],
    [
      'of a rejection by an administrator',
      [
        ['applicant', 'submit'],
        ['leader', 'approve'],
        ['administrator', 'reject'],
      ],
      { leader: [PENDING], administrator: [PENDING], deputy: [PENDING], applicant: ['APPROVAL_REJECTED'] },
    ],
    [
      'of a request taken back from the leader',
      [
        ['applicant', 'submit'],
        ['applicant', 'cancel'],
      ],
      { leader: [PENDING, 'APPROVAL_CANCELLED'] },
    ],
    [
      'of a request taken back from the administrators',
      [
        ['applicant', 'submit'],
        ['leader', 'approve'],
        ['applicant', 'cancel'],
      ],
      {
        leader: [PENDING],
        administrator: [PENDING, 'APPROVAL_CANCELLED'],
        deputy: [PENDING, 'APPROVAL_CANCELLED'],
      },
    ],
  ])('%s', async (_, way, wanted) => {
    const cast = await givenCompany()
    const request = await walk(cast, way)
    expect(await inboxes(cast, request)).toEqual(wanted)
  })

  test('of their own doing only where they must act next', async () => {
    const { administrator, ...others } = await givenCompany()
    const cast = { ...others, administrator, applicant: administrator, leader: administrator }
    const board = await givenDepartment('BOARD', administrator)

    const approved = await walk(cast, WAYS.approved, board)
    const back = await walk(cast, WAYS['taken back from the administrators'], board)

    expect(await inboxes(cast, approved)).toEqual({ administrator: [PENDING, PENDING], deputy: [PENDING] })
    expect(await inboxes(cast, back)).toEqual({
      administrator: [PENDING, PENDING],
      deputy: [PENDING, 'APPROVAL_CANCELLED'],
    })
  })

  test('of a request that passes to a new leader: the new one, once, and not the old one again', async () => {
    const cast = await givenCompany()
    const request = await walk(cast, WAYS['waiting for its leader'])
    const boss = remote.as(cast.administrator.token)
    const form = { name: 'Sales', code: 'SALES' }
    const path = `/departments/${request.departmentId}`
    for (let at = 0; at < 2; at++) (await boss.put(path, { ...form, leaderId: cast.colleague.id })).expect(200)

    ;(await actAs(cast.colleague, request, 'approve')).expect(200)

    expect(await inboxes(cast, request)).toEqual({
      leader: [PENDING],
      colleague: [PENDING],
      administrator: [PENDING],
      deputy: [PENDING],
    })
  })
})

describe('the key of a submission', () => {
  const submit = (request: { id: number }, key: string) =>
    as('applicant').post(`/approvals/${request.id}/submit`, undefined, { 'idempotency-key': key })

  test('is free again after a refusal', async () => {
    const empty = await givenDepartment('EMPTY')
    const [homeless, leaderless, good] = [
      await givenDraft({ departmentId: null }),
      await givenDraft({ departmentId: empty.id }),
      await givenDraft(),
    ]
    ;(await submit(homeless, 'a-key')).expect(400, 'DEPARTMENT_REQUIRED')
    ;(await submit(leaderless, 'a-key')).expect(400, 'DEPARTMENT_HAS_NO_LEADER')
    ;(await submit(await givenRequest('approved'), 'a-key')).expect(409, 'ILLEGAL_TRANSITION')
    ;(await submit(good, 'a-key')).expect(200)
  })

  test('is looked at behind the rights and before the state', async () => {
    const request = await givenDraft()
    ;(await submit(request, 'another-key')).expect(200)
    ;(await submit(request, 'another-key')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await submit(request, 'a-third-key')).expect(409, 'ILLEGAL_TRANSITION')
    const path = `/approvals/${request.id}/submit`
    ;(await as('administrator').post(path, undefined, { 'idempotency-key': 'another-key' })).expect(403)
    ;(await as('colleague').post(path, undefined, { 'idempotency-key': 'two words' })).expect(400)
  })
})

describe('a draft', () => {
  test.each([
    ['type', ''],
    ['type', 'x'.repeat(65)],
    ['title', '  '],
    ['title', 'x'.repeat(256)],
    ['businessKey', 'x'.repeat(129)],
    ['payload', 'x'.repeat(10_001)],
    ['payload', { days: 2 }],
    ['departmentId', 'SALES'],
  ])('whose %s is not fit is refused, saying so', async (field, value) => {
    const refusal = await as('applicant').post('/approvals', { type: 'LEAVE', title: 'Two days off', [field]: value })
    expect(refusal.expect(400, 'VALIDATION_FAILED').details[0].path).toBe(`body.${field}`)
  })

  test('keeps to the letter what it was given, at its longest too', async () => {
    const draft = {
      type: 'x'.repeat(64),
      title: 'ü'.repeat(255),
      businessKey: '季'.repeat(128),
      payload: `{"days": 2}${' '.repeat(9_989)}`,
    }
    const made = await givenDraft(draft)
    expect(made).toMatchObject({ ...draft, departmentId: department.id, status: 'DRAFT', currentStep: 0, steps: [] })
    expect((await as('applicant').get(`/approvals/${made.id}`)).expect(200)).toEqual(made)
  })

  test('names no department of another tenant', async () => {
    const foreign = (
      await as('stranger').post('/departments', { name: 'Foreign', code: 'FOREIGN', leaderId: people.stranger.id })
    ).expect(201)
    const answers = await Promise.all(
      [foreign.id, 999_999].map((departmentId) =>
        as('applicant').post('/approvals', { type: 'LEAVE', title: 'x', departmentId }),
      ),
    )
    for (const answer of answers) answer.expect(404, 'NOT_FOUND')
    expect(answers[0]!.body.message).toBe(answers[1]!.body.message)
  })

  test('is decided with a word of at most a thousand characters', async () => {
    const request = await givenRequest('waiting for its leader')
    const approve = (comment: string) => as('leader').post(`/approvals/${request.id}/approve`, { comment })
    ;(await approve('x'.repeat(1001))).expect(400, 'VALIDATION_FAILED')
    expect((await approve(` ${'x'.repeat(1000)} `)).expect(200).steps[0].comment).toBe('x'.repeat(1000))
  })
})

const as = (who: Who) => remote.as(people[who].token)
let keys = 0
const actAs = (person: Person, { id }: { id: number }, action: Action) =>
  remote.as(person.token).post(`/approvals/${id}/${action}`, undefined, { 'idempotency-key': `key-${++keys}` })
const act = (who: Who, request: { id: number }, action: Action) => actAs(people[who], request, action)

async function givenDepartment(code: string, leader?: Who | Person) {
  const person = typeof leader === 'string' ? people[leader] : leader
  const boss = typeof leader === 'object' ? remote.as(leader.token) : as('administrator')
  const draft = { name: code, code, ...(person && { leaderId: person.id }) }
  return (await boss.post('/departments', draft)).expect(201)
}

async function givenDraft(fields: object = {}) {
  const draft = { type: 'LEAVE', title: 'Two days off', departmentId: department.id, ...fields }
  return (await as('applicant').post('/approvals', draft)).expect(201)
}

async function givenRequest(state: State) {
  let request = await givenDraft()
  for (const [who, action] of WAYS[state]) request = (await act(who, request, action)).expect(200)
  return { ...request, tenantId: people.applicant.tenantId }
}

/** All that a refused action could have changed. */
async function everything({ id }: { id: number }) {
  const count = (table: string) => world.look.count(`select count(*) from ${table}`)
  return {
    request: (await as('administrator').get(`/approvals/${id}`)).expect(200),
    notifications: await count('notifications'),
    news: await count('outbox'),
    keys: await count('idempotency_keys'),
  }
}

/** A company with a second administrator, whose inboxes are empty. */
async function givenCompany() {
  const company = await world.givenTenant()
  const user = (role?: string) => world.givenUser(company, role)
  return {
    administrator: company.administrator,
    deputy: await user('tenant-admin'),
    applicant: await user(),
    leader: await user(),
    colleague: await user(),
  }
}
type Company = Awaited<ReturnType<typeof givenCompany>>

async function walk(cast: Company, way: readonly Step[], led?: { id: number }) {
  const boss = remote.as(cast.administrator.token)
  const { id: departmentId } =
    led ?? (await boss.post('/departments', { name: 'Sales', code: 'SALES', leaderId: cast.leader.id })).expect(201)
  const draft = { type: 'LEAVE', title: 'Two days off', departmentId }
  let request = (await remote.as(cast.applicant.token).post('/approvals', draft)).expect(201)
  for (const [who, action] of way) request = (await actAs(cast[who as keyof Company], request, action)).expect(200)
  return request
}

/** What each was notified of about the request, oldest first; the number of unread ones is the length of the list. */
async function inboxes(cast: Company, request: { id: number }) {
  const told: Record<string, string[]> = {}
  const read = new Set<Person>()
  for (const name of ['administrator', 'deputy', 'applicant', 'leader', 'colleague'] as const) {
    if (read.has(cast[name])) continue
    read.add(cast[name])
    const client = remote.as(cast[name].token)
    const all = (await client.get('/notifications')).expect(200)
    expect((await client.get('/notifications/unread-count')).expect(200).count).toBe(all.length)
    for (const news of all) expect(news).toMatchObject({ resourceType: 'approval', receiverId: cast[name].id })
    const types = all.filter(({ resourceId }: any) => resourceId === request.id).map(({ type }: any) => type)
    if (types.length) told[name] = types.reverse()
  }
  return told
}
