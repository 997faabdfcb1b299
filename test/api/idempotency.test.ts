import { describe, expect, test } from 'vitest'
import { obeying } from '../support/obedient.ts'
import { listRoutes } from '../support/routes.ts'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const tenant = await world.givenTenant()
const user = await world.givenUser(tenant)

let counter = 0
const freshKey = () => `key-${++counter}`
const create = (key: string | undefined, draft: object = {}, person = user) =>
  world
    .as(person)
    .post(
      '/projects',
      { name: 'Apollo', code: `C-${++counter}`, ...draft },
      key === undefined ? {} : { 'idempotency-key': key },
    )
const projects = () => world.look.count('select count(*) from projects where tenant_id = $1', [tenant.id])

describe('a command that must not happen twice', () => {
  test('is refused without a key', async () => {
    ;(await create(undefined)).expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
  })

  test.each(['', ' ', 'two words', 'ключ', 'x'.repeat(129), 'tab\there', 'del\u007f'])(
    'is refused with the key %j',
    async (key) => {
      ;(await create(key)).expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
    },
  )

  test.each(['x', 'x'.repeat(128), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '../../etc', '%00'])(
    'is done with the key %j',
    async (key) => {
      ;(await create(key)).expect(201)
    },
  )

  test('has its body looked at before its key', async () => {
    ;(await create(undefined, { name: '' })).expect(400, 'VALIDATION_FAILED')
  })

  test('is done once: the second time it is refused, and nothing is replayed', async () => {
    const key = freshKey()
    const draft = { code: `C-${++counter}` }
    ;(await create(key, draft)).expect(201)
    const before = await projects()

    const again = await create(key, draft)

    again.expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(again.headers.location).toBeUndefined()
    ;(await create(key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(await projects()).toBe(before)
  })

  test('of which many come concurrently is done once', async () => {
    const key = freshKey()
    const before = await projects()
    const answers = await Promise.all(Array.from({ length: 8 }, () => obeying(() => create(key))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    for (const answer of answers) if (answer.status === 409) answer.expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(await projects()).toBe(before + 1)
  })

  test('shares its key with no other command: a distinct one needs a new key', async () => {
    const key = freshKey()
    ;(await create(key)).expect(201)
    const approval = (await world.as(user).post('/approvals', { type: 'leave', title: 'Leave' })).expect(201)
    ;(await world.as(user).post(`/approvals/${approval.id}/submit`, undefined, { 'idempotency-key': key })).expect(
      409,
      'IDEMPOTENCY_KEY_REUSED',
    )
  })
})

describe('a refusal for want of rights', () => {
  const submit = (id: number, key: string, person = user, headers = {}) =>
    world.as(person).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': key, ...headers })

  test('comes before that of a used key', async () => {
    const key = freshKey()
    ;(await create(key)).expect(201)
    const draft = (await world.as(user).post('/approvals', { type: 'leave', title: 'Leave' })).expect(201)
    ;(await submit(999_999_999, key)).expect(404, 'NOT_FOUND')
    ;(await submit(draft.id, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')

    const boss = tenant.administrator
    ;(await create(key, {}, boss)).expect(201)
    ;(await submit(draft.id, key, boss)).expect(403, 'NOT_APPLICANT')
  })

  test('comes before the discovery that the system administrator has no keys in another tenant', async () => {
    const draft = (await world.as(user).post('/approvals', { type: 'leave', title: 'Leave' })).expect(201)
    const inside = { 'x-tenant-code': tenant.code }
    ;(await submit(draft.id, freshKey(), world.admin, inside)).expect(403, 'NOT_APPLICANT')
    ;(await submit(999_999_999, freshKey(), world.admin, inside)).expect(404, 'NOT_FOUND')
  })
})

describe('a key is free', () => {
  test('after a command that was not valid', async () => {
    const key = freshKey()
    ;(await create(key, { name: '' })).expect(400)
    ;(await create(key)).expect(201)
  })

  test('after a command that was rolled back', async () => {
    const key = freshKey()
    const { code } = (await create(freshKey())).expect(201)
    ;(await create(key, { code })).expect(409, 'PROJECT_CODE_TAKEN')
    ;(await create(key, { startDate: '2026-02-01', endDate: '2026-01-01' })).expect(400, 'DATE_ORDER')
    ;(await create(key)).expect(201)
    ;(await create(key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('for another user, and for another tenant', async () => {
    const key = freshKey()
    ;(await create(key)).expect(201)
    ;(await create(key, {}, await world.givenUser(tenant))).expect(201)
    ;(await create(key, {}, (await world.givenTenant()).administrator)).expect(201)
    ;(await create(key)).expect(409)
  })

  test('a day after it was used, and not before', async () => {
    const key = freshKey()
    ;(await create(key)).expect(201)
    const usedAgo = (interval: string) =>
      world.look.rows(
        `update idempotency_keys set expires_at = statement_timestamp() + interval '24 hours' - $2::interval where key = $1`,
        [key, interval],
      )
    for (const interval of ['1 second', '1 hour', '23 hours 59 minutes']) {
      await usedAgo(interval)
      ;(await create(key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    }
    await usedAgo('24 hours 1 minute')
    ;(await create(key)).expect(201)
    ;(await create(key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })
})

describe('that needs no key', () => {
  const key = { 'idempotency-key': 'the-same' }

  test('one is honoured anyway: every POST is done once', async () => {
    const project = (await create(freshKey())).expect(201)
    const task = () => world.as(user).post(`/projects/${project.id}/tasks`, { title: 'x' }, key)
    ;(await task()).expect(201)
    ;(await task()).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect((await world.as(user).get(`/projects/${project.id}/tasks`)).expect(200)).toHaveLength(1)
  })

  test('one that is none is refused, and what only reads or replaces takes none', async () => {
    const project = (await create(freshKey())).expect(201)
    const broken = { 'idempotency-key': 'two words' }
    ;(await world.as(user).post(`/projects/${project.id}/tasks`, { title: 'x' }, broken)).expect(
      400,
      'IDEMPOTENCY_KEY_REQUIRED',
    )
    for (let time = 0; time < 2; time++) (await world.as(user).get('/projects', key)).expect(200)
    for (const version of [0, 1])
      (await world.as(user).put(`/projects/${project.id}`, { version, name: `n${version}` }, key)).expect(200)
  })

  test('a visitor has one too, which counts for one kind of command in one tenant', async () => {
    const contact = (code: string, message: string) =>
      world.anyone.post(
        '/public/contact',
        { email: 'visitor@example.com', message },
        { 'x-tenant-code': code, 'idempotency-key': 'of-a-visitor' },
      )
    ;(await contact(tenant.code, 'Hello')).expect(201)
    ;(await contact(tenant.code, 'Hello')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await contact((await world.givenTenant()).code, 'Hello')).expect(201)
    expect(await world.look.count('select count(*) from contact_messages where tenant_id = $1', [tenant.id])).toBe(1)
  })

  test('the system administrator has one of their own in every tenant that they work in', async () => {
    const inside = { 'x-tenant-code': tenant.code, 'idempotency-key': freshKey() }
    const department = (code: string) => world.as(world.admin).post('/departments', { name: code, code }, inside)
    ;(await department('FIRST')).expect(201)
    ;(await department('SECOND')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('signing in and continuing a session take none, as anyone who tries again wants a session, nor does reading an invitation, nor the report of a provider, which counts once', async () => {
    const takes = (await listRoutes()).filter(({ method }) => method === 'POST')
    expect(takes.filter(({ keyed }) => !keyed).map(({ path }) => path)).toEqual([
      '/auth/invitations/preview',
      '/auth/login',
      '/auth/oidc/exchange',
      '/auth/refresh',
      '/payments/callback/:provider',
    ])
  })
})
