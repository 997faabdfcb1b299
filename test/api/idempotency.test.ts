import { describe, expect, test } from 'vitest'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { listRoutes } from '../support/routes.ts'
import { openWorldWithTenant } from '../support/world-with-tenant.ts'

const { world, tenant } = await openWorldWithTenant()
const user = await world.givenUser(tenant)

let counter = 0
const freshKey = () => `key-${++counter}`
const create = (key: string | undefined, draft: object = {}, person = user) => {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return world.as(person).post('/projects', { name: 'Apollo', code: `C-${++counter}`, ...draft }, headers)
}
const projects = () => world.look.count('select count(*) from projects where tenant_id = $1', [tenant.id])

describe('a command that must not happen twice', () => {
  test('is refused without a key, or with one that is none, and done with any one of visible characters', async () => {
    for (const key of [undefined, '', ' ', 'two words', 'ключ', 'x'.repeat(129), 'tab\there', 'del\u007f'])
      (await create(key)).expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
    ;(await create(undefined, { name: '' })).expect(400, 'VALIDATION_FAILED')
    for (const key of ['x', 'x'.repeat(128), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '../../etc', '%00'])
      (await create(key)).expect(201)
  })

  test('is done once: the second time it is refused, whatever it is, and nothing is replayed', async () => {
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
})

test('a refusal for want of rights comes before that of a key; a key is shared with no other command', async () => {
  const submit = (id: number, key: string, person = user, headers = {}) =>
    world.as(person).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': key, ...headers })
  const draft = await world.as(user).create('/approvals', { type: 'leave', title: 'Leave' })
  const key = freshKey()
  ;(await create(key)).expect(201)
  ;(await submit(999_999_999, key)).expect(404, 'NOT_FOUND')
  ;(await submit(draft.id, key)).expect(409, 'IDEMPOTENCY_KEY_REUSED')

  const boss = tenant.administrator
  ;(await create(key, {}, boss)).expect(201)
  ;(await submit(draft.id, key, boss)).expect(403, 'NOT_APPLICANT')
  // The system administrator has no keys in another tenant, and does not hear of that.
  const inside = { 'x-tenant-code': tenant.code }
  ;(await submit(draft.id, freshKey(), world.admin, inside)).expect(403, 'NOT_APPLICANT')
  ;(await submit(999_999_999, freshKey(), world.admin, inside)).expect(404, 'NOT_FOUND')
})

describe('a key is free', () => {
  test('after a command that was not valid, or was rolled back', async () => {
    const key = freshKey()
    const { code } = (await create(freshKey())).expect(201)
    ;(await create(key, { name: '' })).expect(400, 'VALIDATION_FAILED')
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
    const claims = `update idempotency_keys set expires_at = statement_timestamp() + interval '24 hours' - $2::interval`
    const usedAgo = (interval: string) => world.look.rows(`${claims} where key = $1`, [key, interval])
    for (const interval of ['1 second', '1 hour', '23 hours']) {
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

  test('one is honoured anyway: every POST is done once; what only reads or replaces takes none', async () => {
    const project = (await create(freshKey())).expect(201)
    const task = () => world.as(user).post(`/projects/${project.id}/tasks`, { title: 'x' }, key)
    ;(await task()).expect(201)
    ;(await task()).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    expect(await world.as(user).read(`/projects/${project.id}/tasks`)).toHaveLength(1)
    const broken = { 'idempotency-key': 'two words' }
    const refused = await world.as(user).post(`/projects/${project.id}/tasks`, { title: 'x' }, broken)
    refused.expect(400, 'IDEMPOTENCY_KEY_REQUIRED')
    for (let time = 0; time < 2; time++) await world.as(user).read('/projects', key)
    for (const version of [0, 1])
      (await world.as(user).put(`/projects/${project.id}`, { version, name: `n${version}` }, key)).expect(200)
  })

  test('a visitor has one too, which counts for one kind of command in one tenant', async () => {
    const contact = ({ code }: { code: string }) => {
      const headers = { 'x-tenant-code': code, 'idempotency-key': 'of-a-visitor' }
      return world.anyone.post('/public/contact', { email: 'visitor@example.com', message: 'Hello' }, headers)
    }
    ;(await contact(tenant)).expect(201)
    ;(await contact(tenant)).expect(409, 'IDEMPOTENCY_KEY_REUSED')
    ;(await contact(await world.givenTenant())).expect(201)
    expect(await world.look.count('select count(*) from contact_messages where tenant_id = $1', [tenant.id])).toBe(1)
  })

  test('the system administrator has one of their own in every tenant that they work in', async () => {
    const inside = { 'x-tenant-code': tenant.code, 'idempotency-key': freshKey() }
    const department = (code: string) => world.as(world.admin).post('/departments', { name: code, code }, inside)
    ;(await department('FIRST')).expect(201)
    ;(await department('SECOND')).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('every POST takes one, but for those that exceptions.json names, such as signing in', async () => {
    const takeNone = (await listRoutes()).filter(({ method, keyed }) => method === 'POST' && !keyed)
    expectOnlyExceptions(
      'a POST without a key',
      takeNone.map(({ path }) => ({
        place: path,
        says: `POST ${path} takes no Idempotency-Key: remove \`idempotent: false\``,
      })),
    )
  })
})
