import { afterAll, describe, expect, test } from 'vitest'
import type { Answer, Client } from '../support/client.ts'
import { openInstance } from '../support/instance.ts'
import { checkDatabase, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { obedient, obeying } from '../support/obedient.ts'
import { until } from '../support/patience.ts'
import { AT_ONCE, atOnce, chance, expectNoCircle, expectOneWinner, FEW, ROUNDS, SEED, soon } from '../support/races.ts'
import { redisIsHere, startRedis } from '../support/redis.ts'
import { shifted } from '../support/shifted.ts'
import { openWorld, type Person } from '../support/world.ts'

// Two groups of commands may wait for each other in a circle: then each command is sent alone. No two commands may.
const world = await openWorld({ commitsTogether: 1 })
const tenant = await world.givenTenant()
const boss = obedient(world.as(tenant.administrator))
const people = await Promise.all(Array.from({ length: 6 }, () => world.givenUser(tenant)))
afterAll(() => expectNoCircle(world))

let keys = 0
const newKey = () => `key-${++keys}`
const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)]!
const create = (client: Client, key: string, code: string) =>
  client.post('/projects', { name: `made by ${key}`, code }, { 'idempotency-key': key })

test.each<[string, string, string, () => Promise<string>, boolean]>([
  ['a task by its number', 'title', 'VERSION_CONFLICT', async () => `/tasks/${(await givenTask()).id}`, false],
  ['a task by its ETag', 'title', 'PRECONDITION_FAILED', async () => `/tasks/${(await givenTask()).id}`, true],
  ['an article by its ETag', 'title', 'PRECONDITION_FAILED', async () => `/content/articles/${await article()}`, true],
])(`of ${AT_ONCE} changes of one version of %s exactly one is accepted`, async (_, field, type, given, byETag) => {
  const path = await given()
  for (let version = 0; version < ROUNDS; version++) {
    const ifMatch = { 'if-match': String((await boss.get(path)).headers.etag) }
    const answers = await atOnce((at) =>
      boss.put(path, { ...(!byETag && { version }), [field]: `${version}.${at}` }, byETag ? ifMatch : {}),
    )

    const winner = expectOneWinner(answers, 200, type, byETag ? 412 : 409)
    const now = await boss.get(path)
    expect([now.expect(200), now.headers.etag]).toEqual([winner.data, winner.headers.etag])
    if (!byETag) expect(winner.data.version).toBe(version + 1)
  }
})
const givenTask = async () => world.givenTask(tenant.administrator, await world.givenProject(tenant.administrator))
const article = async (status = 'draft') =>
  (await boss.post('/content/articles', { title: 'A', status })).expect(201).id

/** One instance alone is tested in test/api/idempotency.test.ts. */
test.each(redisIsHere() ? ['without Redis', 'with Redis'] : ['without Redis'])(
  `one idempotency key makes one project, of ${AT_ONCE} creations at two instances %s`,
  async (how) => {
    const options = how === 'with Redis' ? { redisUrl: (await startRedis()).url } : {}
    const services = [await openInstance(world.databaseUrl, options), await openInstance(world.databaseUrl, options)]
    for (let round = 0; round < ROUNDS; round++) {
      const key = newKey()
      const answers = await atOnce((at) => create(services[at % 2]!.as(people[0]!), key, `${key}-${at}`))

      expectOneWinner(answers, 201, 'IDEMPOTENCY_KEY_REUSED')
      expect(await world.look.count('select count(*) from projects where name = $1', [`made by ${key}`])).toBe(1)
    }
    for (const service of services) await service.close()
  },
)

/** Few: all of them have to come within ten seconds. */
const TABS = 8
test(`a refresh token works for ${TABS} tabs at the same moment, and ends the session when it turns up later`, async () => {
  const refresh = (pair: any) => world.anyone.post('/auth/refresh', { refreshToken: pair.refreshToken })
  const account = { username: newKey(), password: 'secret-1', email: 'person@company.example' }
  const { id } = (await world.anyone.post('/auth/register', account)).expect(201)

  // Again with a new session if the machine was so slow that one of them came too late.
  const { first, pairs } = await until(async () => {
    await world.look.rows('delete from sessions where user_id = $1', [id])
    const first = (await world.anyone.post('/auth/login', account)).expect(200)
    const pairs = (await atOnce(() => refresh(first), TABS)).map((answer) => answer.expect(200))
    return { first, pairs }
  })
  expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(TABS)
  const sessions = 'select id from sessions where user_id = $1'
  expect(await world.look.rows(sessions, [id])).toHaveLength(1)

  await world.look.rows(
    `update refresh_tokens set used_at = ${shifted('used_at', '-11 seconds')} where used_at is not null`,
  )
  ;(await refresh(first)).expect(401, 'INVALID_REFRESH_TOKEN')
  for (const { accessToken } of pairs)
    (await world.anyone.get('/auth/me', { authorization: `Bearer ${accessToken}` })).expect(401)
  expect(await world.look.rows(sessions, [id])).toEqual([])
})

test('marking all notifications as read leaves alone what comes after it', async () => {
  const [author, reader] = people as [Person, Person]
  const project = await world.givenProject(author)
  await world.givenMember(author, project, reader)
  const task = await world.givenTask(author, project, { assigneeId: reader.id })
  let marked = false
  let late = 0
  const comment = async () => {
    const isLate = marked
    const answer = await world.as(author).post(`/tasks/${task.id}/comments`, { content: 'hello' })
    if (isLate && answer.status === 201) late++
    return answer
  }

  await Promise.all([
    ...Array.from({ length: 8 }, async () => {
      for (let n = 0; n < 3; n++) (await soon(comment)).expect(201)
    }),
    soon(() => world.as(reader).put('/notifications/read-all')).then((answer) => {
      answer.expect(200)
      marked = true
    }),
  ])

  await untilDelivered(world.look)
  const count = (which: string) =>
    world.look.count(`select count(*) from notifications where receiver_id = $1 and ${which}`, [reader.id])
  expect(await count(`type = 'TASK_COMMENTED' and resource_id = ${task.id}`)).toBe(24)
  expect(await count(`read_at is null and resource_id = ${task.id}`)).toBeGreaterThanOrEqual(late)
  const unread = (await obeying(() => world.as(reader).get('/notifications/unread-count'))).expect(200).count
  expect(unread).toBe(await count('read_at is null'))
  expect(await world.look.count('select count(*) from notifications where read_at < created_at')).toBe(0)
})

const EACH = 8 * ROUNDS
test(`a random mix of commands on ten rows, by 32 clients who send ${EACH} each, causes no deadlock`, async () => {
  const { administrator } = await world.givenTenant()
  const staff = await Promise.all([1, 2, 3].map(() => world.givenUser({ id: administrator.tenantId })))
  const projects = await Promise.all([1, 2, 3].map(() => world.givenProject(administrator)))
  for (const project of projects) for (const person of staff) await world.givenMember(administrator, project, person)
  const tasks = await Promise.all(
    Array.from({ length: 7 }, (_, at) => world.givenTask(administrator, projects[at % 3])),
  )
  const me = world.as(administrator)
  const versions = new Map<string, number>()
  const statuses: Record<string, number> = {}

  async function update(path: string, change: object) {
    const answer = await me.put(path, { version: versions.get(path) ?? 0, ...change })
    const now = answer.data?.version ?? answer.error?.details[0]?.actual
    if (now !== undefined) versions.set(path, now)
    return answer
  }
  const commands = [
    () => update(`/tasks/${pick(tasks).id}`, { title: newKey() }),
    () => update(`/tasks/${pick(tasks).id}`, { assigneeId: pick(staff).id }),
    () => update(`/tasks/${pick(tasks).id}`, { status: pick(['TODO', 'IN_PROGRESS', 'BLOCKED']), assigneeId: null }),
    () => update(`/projects/${pick(projects).id}`, { name: newKey() }),
    () => me.post(`/projects/${pick(projects).id}/tasks`, { title: 'new', assigneeId: pick(staff).id }),
    () => me.post(`/tasks/${pick(tasks).id}/comments`, { content: 'hello' }),
    () => me.put(`/projects/${pick(projects).id}/members/${pick(staff).id}`),
    () => me.put(`/projects/${pick(projects).id}/members/${pick(staff).id}`, { role: 'viewer' }),
    () => me.delete(`/projects/${pick(projects).id}/members/${pick(staff).id}`),
    () => world.as(pick(staff)).put('/notifications/read-all'),
    () => me.put(`/projects/${pick(projects).id}/archive?version=999999`),
  ]
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let sent = 0; sent < EACH; sent++) {
        const { status } = await obeying(pick(commands))
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )

  report('deadlock hunt', [], { seed: SEED, statuses })
  expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([])
  expectNoViolation('deadlock hunt', await checkDatabase(world.look, ['I5', 'I7']))
  const working = `select count(*) from tasks t join project_members m using (tenant_id, project_id)
    where t.is_open and m.user_id = t.assignee_id and m.role = 'viewer'`
  expect(await world.look.count(working), 'viewers with open tasks').toBe(0)
})

describe('one unique name is given once', () => {
  const account = (username: string) => ({ username, password: 'a-long-password', email: 'person@company.example' })

  test.each<[string, number, string, (name: string, at: number) => Promise<Answer>]>([
    ['an account', FEW, 'USERNAME_TAKEN', (name) => world.anyone.post('/auth/register', account(name))],
    ['a user', FEW, 'USERNAME_TAKEN', (name) => boss.post('/users', account(name))],
    ['a project', AT_ONCE, 'PROJECT_CODE_TAKEN', (code, at) => create(world.as(people[at % 6]!), newKey(), code)],
    ['a department', AT_ONCE, 'DEPARTMENT_CODE_TAKEN', (code) => boss.post('/departments', { name: code, code })],
    ['a role', AT_ONCE, 'ROLE_CODE_TAKEN', (code) => boss.post('/roles', { name: code, code })],
    ['a category', AT_ONCE, 'CATEGORY_TAKEN', (slug) => boss.post('/content/categories', { name: slug, slug })],
  ])('to %s, of %i takers', async (_, takers, type, take) => {
    const name = newKey()
    expectOneWinner(await atOnce((at) => take(name, at), takers), 201, type)
  })

  test(`to a tenant, of ${FEW} takers, which is made whole`, async () => {
    const code = newKey()
    const administrator = { adminUsername: 'boss', adminPassword: 'a-long-password', adminEmail: 'b@company.example' }
    const draft = { name: code, code, plan: 'test', ...administrator }
    const answers = await atOnce(() => world.as(world.admin).post('/tenants', draft), FEW)

    expectOneWinner(answers, 201, 'TENANT_CODE_TAKEN')
    expect(await world.look.count('select count(*) from organizations where name = $1', [code])).toBe(1)
  })
})

test('of tasks that are given during a hand-over each is passed on or was given afterwards, and none is lost', async () => {
  const [colleague, heir] = people as [Person, Person]
  const leaver = await world.givenUser(tenant)
  const handOver = () => boss.post(`/users/${leaver.id}/hand-over`, { toUserId: heir.id })
  const project = await world.givenProject(colleague)
  await world.givenMember(colleague, project, leaver)
  const outcomes = { passed: 0, after: 0 }

  for (let round = 0; round < ROUNDS; round++) {
    const draft = { title: `task ${round}`, assigneeId: leaver.id }
    const give = () => world.as(colleague).post(`/projects/${project.id}/tasks`, draft)
    const [handed, ...made] = await Promise.all([soon(handOver, 8), ...Array.from({ length: 8 }, () => soon(give, 8))])
    handed.expect(200)
    for (const answer of made) {
      const { assigneeId, version } = (await boss.get(`/tasks/${answer.expect(201).id}`)).expect(200)
      const isPassed = assigneeId === heir.id
      outcomes[isPassed ? 'passed' : 'after']++
      // A task that was given after the hand-over has never been changed.
      expect([assigneeId, version]).toEqual(isPassed ? [heir.id, 1] : [leaver.id, 0])
    }
    ;(await handOver()).expect(200)
  }
  const figures = await checkDatabase(world.look, ['I5', 'I7'])
  expectNoViolation('hand-over against new tasks', figures, { seed: SEED, ...outcomes })
})
