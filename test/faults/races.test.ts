import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { transact } from '../../src/data/tx/transact.ts'
import { register } from '../../src/domains/auth/auth.actions.ts'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { visitor } from '../../src/kernel/actor.ts'
import type { Answer, Client } from '../support/client.ts'
import { type Instance, openInstance } from '../support/instance.ts'
import { holdRow, waitsForLock } from '../support/interleave.ts'
import { checkDatabase, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { insisting, obeying } from '../support/obedient.ts'
import { type RedisServer, redisIsHere, startRedis } from '../support/redis.ts'
import { shifted } from '../support/shifted.ts'
import { checkStanding } from '../support/standing.ts'
import { randomFrom } from '../support/workload.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** RACE_ROUNDS=100 for the full run. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2)
const AT_ONCE = 64
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const chance = randomFrom(SEED)

let world: World
let tenant: Tenant
let people: Person[]
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  people = await Promise.all(Array.from({ length: 6 }, () => world.givenUser(tenant)))
})
afterAll(() => world?.close())

describe('one version, many updates', () => {
  const things: Record<string, () => Promise<{ person: Person; path: string; field: string }>> = {
    async task() {
      const task = await world.givenTask(people[0]!, await world.givenProject(people[0]!))
      return { person: people[0]!, path: `/tasks/${task.id}`, field: 'title' }
    },
    async project() {
      const project = await world.givenProject(people[0]!)
      return { person: people[0]!, path: `/projects/${project.id}`, field: 'name' }
    },
    async article() {
      const person = tenant.administrator
      const article = (await world.as(person).post('/content/articles', { title: 'A' })).expect(201)
      return { person, path: `/content/articles/${article.id}`, field: 'title' }
    },
  }

  test.each(['task', 'project'])(`of ${AT_ONCE} changes of one version exactly one is accepted: %s`, async (thing) => {
    const { person, path, field } = await things[thing]!()
    for (let version = 0; version < ROUNDS; version++) {
      const answers = await atOnce((at) => world.as(person).put(path, { version, [field]: `${version}.${at}` }))

      const [winner] = expectOneWinner(answers, 200, 'VERSION_CONFLICT')
      const conflict = answers.find(({ status }) => status === 409)!.error!.details[0]
      expect(conflict).toMatchObject({ expected: version, actual: version + 1 })
      expect((await world.as(person).get(path)).expect(200)).toEqual(winner!.data)
      expect(winner!.data.version).toBe(version + 1)
    }
  })

  test.each(Object.keys(things))(`of ${AT_ONCE} changes with one ETag exactly one is accepted: %s`, async (thing) => {
    const { person, path, field } = await things[thing]!()
    for (let round = 0; round < ROUNDS; round++) {
      const etag = String((await world.as(person).get(path)).headers.etag)
      const answers = await atOnce((at) =>
        world.as(person).put(path, { [field]: `${round}.${at}` }, { 'if-match': etag }),
      )

      const [winner] = expectOneWinner(answers, 200, 'PRECONDITION_FAILED', 412)
      const now = await world.as(person).get(path)
      expect(now.expect(200)).toEqual(winner!.data)
      expect(now.headers.etag).toBe(winner!.headers.etag)
    }
  })

  test(`of ${AT_ONCE} archivings exactly one is accepted`, async () => {
    const { person, path } = await things.project!()
    expectOneWinner(await atOnce(() => world.as(person).put(`${path}/archive?version=0`)), 200, 'PROJECT_ARCHIVED')
  })
})

const withRedis = redisIsHere()
describe.each([
  ['one instance', { instances: 1, redis: false }],
  ['two instances', { instances: 2, redis: false }],
  ...(withRedis ? [['two instances and Redis', { instances: 2, redis: true }] as const] : []),
] as const)('one idempotency key, many creations, on %s', (_, { instances, redis }) => {
  let server: RedisServer | undefined
  let services: Instance[]
  const someone = (at: number): Client => services[at % instances]!.as(people[0]!)
  beforeAll(async () => {
    server = redis ? await startRedis() : undefined
    const options = server ? { redisUrl: server.url } : {}
    services = await Promise.all(Array.from({ length: instances }, () => openInstance(world.databaseUrl, options)))
  })
  afterAll(async () => {
    for (const service of services ?? []) await service.close()
    await server?.stop()
  })

  test(`one of ${AT_ONCE} makes the project, the others are refused`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const key = newKey()

      const answers = await atOnce((at) => create(someone(at), key, `${key}-${at}`))

      expectOneWinner(answers, 201, 'IDEMPOTENCY_KEY_REUSED')
      expect(await projectsNamed(key)).toBe(1)
    }
  })

  test('a key whose command was refused works again', async () => {
    const key = newKey()
    const taken = newKey()
    ;(await create(someone(0), newKey(), taken)).expect(201)

    ;(await someone(0).post('/projects', { name: '' }, { 'idempotency-key': key })).expect(400, 'VALIDATION_FAILED')
    ;(await create(someone(1), key, taken)).expect(409, 'PROJECT_CODE_TAKEN')
    const dates = { startDate: '2026-02-01', endDate: '2026-01-01' }
    ;(await create(someone(1), key, newKey(), dates)).expect(400, 'DATE_ORDER')

    ;(await create(someone(0), key, newKey())).expect(201)
    ;(await create(someone(1), key, newKey())).expect(409, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('a key is taken for a day and no longer', async () => {
    const key = newKey()
    ;(await create(someone(0), key, newKey())).expect(201)

    await expireIn(key, '1 minute')
    await server?.ask('FLUSHALL')
    ;(await create(someone(1), key, newKey())).expect(409, 'IDEMPOTENCY_KEY_REUSED')

    await expireIn(key, '-1 second')
    await server?.ask('FLUSHALL')
    const answers = await atOnce((at) => create(someone(at), key, `${key}-${at}`))

    expectOneWinner(answers, 201, 'IDEMPOTENCY_KEY_REUSED')
  })

  test('two people, and two tenants, may use the same key', async () => {
    const key = newKey()
    const stranger = (await world.givenTenant()).administrator
    const everybody = [...people, stranger]

    const answers = await Promise.all(
      everybody.map((person) => obeying(() => create(services[0]!.as(person), key, `${key}-${person.id}`))),
    )

    expect(answers.map(({ status }) => status)).toEqual(everybody.map(() => 201))
  })
})

describe('archiving a project', () => {
  test('never lets a task or member in after it', async () => {
    const [owner, ...others] = people
    let refused = 0

    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.givenProject(owner!)
      const me = world.as(owner!)
      const [archived, ...answers] = await Promise.all([
        soon(() => me.put(`/projects/${project.id}/archive?version=0`)),
        ...Array.from({ length: 30 }, (_, at) =>
          soon(() =>
            at % 3
              ? me.post(`/projects/${project.id}/tasks`, { title: `task ${at}` })
              : me.put(`/projects/${project.id}/members/${others[at % others.length]!.id}`),
          ),
        ),
      ])

      archived.expect(200)
      for (const answer of answers) if (answer.status >= 300) answer.expect(409, 'PROJECT_ARCHIVED')
      refused += answers.filter(({ status }) => status === 409).length
      const created = answers.filter(({ status }) => status === 201).length
      expect(await world.look.count('select count(*) from tasks where project_id = $1', [project.id])).toBe(created)
    }

    const figures = await checkDatabase(world.look, ['I5', 'I7'])
    expectNoViolation('archive against create and add', figures, { seed: SEED, rounds: ROUNDS, refused })
  })
})

describe('handing a project over', () => {
  test('to somebody who is just being deleted: one of the two is refused', async () => {
    const [owner] = people as [Person]
    const boss = world.as(tenant.administrator)
    const outcomes = { handed: 0, deleted: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.givenProject(owner)
      const heir = await world.givenUser(tenant)
      if (round % 2) await world.givenMember(owner, project, heir)
      const [handed, deleted] = await Promise.all([
        soon(() => world.as(owner).put(`/projects/${project.id}`, { version: 0, ownerId: heir.id }), 4),
        soon(() => boss.delete(`/users/${heir.id}`), 4),
      ])

      if (handed.status === 200) deleted.expect(409, 'USER_IN_USE')
      else handed.expect(404, 'NOT_FOUND')
      outcomes[handed.status === 200 ? 'handed' : 'deleted']++
      if (handed.status !== 200) deleted.expect(200)
    }

    const ownerless = `select count(*) from projects p join users u on u.tenant_id = p.tenant_id and u.id = p.owner_id
      where u.deleted_at is not null or not exists (select from project_members m
        where m.tenant_id = p.tenant_id and m.project_id = p.id and m.user_id = p.owner_id)`
    expect(await world.look.count(ownerless)).toBe(0)
    expectNoViolation('hand-over', await checkStanding(world.look), { seed: SEED })
    report('hand-over against deletion', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })

  test('by somebody who is just being deleted: they go when it is through, or stay', async () => {
    const boss = world.as(tenant.administrator)
    const outcomes = { gone: 0, stayed: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const owner = await world.givenUser(tenant)
      const project = await world.givenProject(owner)
      const [handed, deleted] = await Promise.all([
        soon(() => boss.put(`/projects/${project.id}`, { version: 0, ownerId: people[1]!.id }), 4),
        soon(() => boss.delete(`/users/${owner.id}`), 4),
      ])

      handed.expect(200)
      if (deleted.status !== 200) deleted.expect(409, 'USER_IN_USE')
      outcomes[deleted.status === 200 ? 'gone' : 'stayed']++
    }
    report('hand-over by the deleted', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })
})

describe('opening an archived project again', () => {
  test('against a change of it: each gets what the project was when its turn came', async () => {
    const [owner] = people as [Person]
    const me = world.as(owner)

    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.givenProject(owner)
      ;(await me.put(`/projects/${project.id}/archive?version=0`)).expect(200)
      const [opened, changed, ...twins] = await Promise.all([
        soon(() => me.put(`/projects/${project.id}/unarchive?version=1`), 3),
        soon(() => me.put(`/projects/${project.id}`, { version: 2, name: `changed ${round}` }), 3),
        ...Array.from({ length: 4 }, () => soon(() => me.put(`/projects/${project.id}/unarchive?version=1`), 3)),
      ])

      const [winner] = expectOneWinner([opened!, ...twins], 200, 'PROJECT_NOT_ARCHIVED')
      expect(winner!.data).toMatchObject({ status: 'ACTIVE', version: 2 })
      if (changed!.status !== 200) changed!.expect(409, 'PROJECT_ARCHIVED')
      const now = (await me.get(`/projects/${project.id}`)).expect(200)
      expect(now).toMatchObject({ status: 'ACTIVE', version: changed!.status === 200 ? 3 : 2 })
    }
    expectNoViolation('unarchive against change', await checkDatabase(world.look, ['I5', 'I7']), { seed: SEED })
  })
})

describe('a member who is removed', () => {
  test('is left with no open task, whatever was assigned meanwhile', async () => {
    const [owner, member] = people as [Person, Person]
    const me = world.as(owner)
    const outcomes = { removed: 0, kept: 0, assigned: 0, refused: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const project = await world.givenProject(owner)
      await world.givenMember(owner, project, member)
      const tasks = await Promise.all([1, 2, 3].map(() => world.givenTask(owner, project)))

      const [removal, ...answers] = await Promise.all([
        soon(() => me.delete(`/projects/${project.id}/members/${member.id}`), 4),
        ...tasks.map((task) => soon(() => me.put(`/tasks/${task.id}`, { version: 0, assigneeId: member.id }))),
        soon(() => me.post(`/projects/${project.id}/tasks`, { title: 'new', assigneeId: member.id })),
      ])

      if (removal.status === 200) outcomes.removed++
      else outcomes.kept += removal.expect(409, 'MEMBER_HAS_OPEN_TASKS') ? 1 : 0
      for (const answer of answers) {
        if (answer.status < 300) outcomes.assigned++
        else outcomes.refused += answer.expect(400, 'ASSIGNEE_NOT_MEMBER') ? 1 : 0
      }
    }

    expectNoViolation('removal against assignment', await checkDatabase(world.look, ['I5', 'I7']), {
      seed: SEED,
      rounds: ROUNDS,
      ...outcomes,
    })
  })

  test('a person who is added by many concurrently is added, recorded and notified once', async () => {
    const [owner, member] = people as [Person, Person]

    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const project = await world.givenProject(owner)

      const answers = await atOnce(() => world.as(owner).put(`/projects/${project.id}/members/${member.id}`))

      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      const history = (await world.as(owner).get(`/projects/${project.id}/activities`)).expect(200)
      expect(history.filter(({ action }: any) => action === 'PROJECT_MEMBER_ADDED')).toHaveLength(1)
      await untilDelivered(world.look)
      const told = `select count(*) from notifications where type = 'PROJECT_MEMBER_ADDED' and resource_id = $1`
      expect(await world.look.count(told, [project.id])).toBe(1)
    }
  })

  test('by many concurrently is removed and recorded once', async () => {
    const [owner, member] = people as [Person, Person]
    const project = await world.givenProject(owner)
    await world.givenMember(owner, project, member)

    const answers = await atOnce(() => world.as(owner).delete(`/projects/${project.id}/members/${member.id}`))

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const history = (await world.as(owner).get(`/projects/${project.id}/activities`)).expect(200)
    expect(history.filter(({ action }: any) => action === 'PROJECT_MEMBER_REMOVED')).toHaveLength(1)
  })
})

describe('a refresh token', () => {
  // Few: all of them have to come within ten seconds, on a slow machine too.
  const clients = 8

  test(`works for ${clients} tabs at the same moment, and ends the session when it turns up later`, async () => {
    const { refreshToken } = await signIn()

    const answers = await atOnce(() => world.anyone.post('/auth/refresh', { refreshToken }), clients)

    const pairs = answers.map((answer) => answer.expect(200))
    const sessions = new Set(pairs.map(({ accessToken }) => claimsOf(accessToken).sid))
    expect(sessions.size).toBe(1)
    expect(new Set(pairs.map((pair) => pair.refreshToken)).size).toBe(clients)
    await expectAll(pairs, 200)

    await world.look.rows(
      `update refresh_tokens set used_at = ${shifted('used_at', '-11 seconds')} where used_at is not null`,
    )
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(401, 'INVALID_REFRESH_TOKEN')

    await expectAll(pairs, 401)
    for (const pair of pairs) (await refresh(pair)).expect(401, 'INVALID_REFRESH_TOKEN')
    const [sid] = sessions
    expect(await world.look.count('select count(*) from sessions where id = $1', [sid])).toBe(0)
    expect(await world.look.count('select count(*) from refresh_tokens where session_id = $1', [sid])).toBe(0)
  })

  test('is dead for all tabs once one of them has signed out', async () => {
    const { refreshToken } = await signIn()
    const pairs = await Promise.all([1, 2, 3].map(async () => (await refresh({ refreshToken })).expect(200)))

    ;(await as(pairs[0]).post('/auth/logout')).expect(200)

    await expectAll(pairs, 401)
    for (const pair of pairs) (await refresh(pair)).expect(401, 'INVALID_REFRESH_TOKEN')
  })

  const as = (pair: any) => ({
    get: (path: string) => world.anyone.get(path, { authorization: `Bearer ${pair.accessToken}` }),
    post: (path: string) => world.anyone.post(path, undefined, { authorization: `Bearer ${pair.accessToken}` }),
  })
  const refresh = (pair: any) => world.anyone.post('/auth/refresh', { refreshToken: pair.refreshToken })
  async function expectAll(pairs: any[], status: number) {
    for (const pair of pairs) expect((await as(pair).get('/auth/me')).status).toBe(status)
  }
  async function signIn() {
    const account = { username: newKey(), password: 'secret-1', email: 'person@company.example' }
    ;(await world.anyone.post('/auth/register', account)).expect(201)
    return (await world.anyone.post('/auth/login', account)).expect(200)
  }
  const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
})

describe('marking all notifications as read', () => {
  test('leaves alone what comes after it', async () => {
    const [author, reader] = people as [Person, Person]
    const project = await world.givenProject(author)
    await world.givenMember(author, project, reader)

    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const task = await world.givenTask(author, project, { assigneeId: reader.id })
      let marked = false
      const late: number[] = []
      const comment = async () => {
        const isLate = marked
        const answer = await world.as(author).post(`/tasks/${task.id}/comments`, { content: 'hello' })
        if (isLate && answer.status === 201) late.push(answer.data.id)
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
      const [row] = await world.look.rows(
        `select count(*) filter (where read_at is null)::int as unread, count(*)::int as "all"
           from notifications where receiver_id = $1 and type = 'TASK_COMMENTED' and resource_id = $2`,
        [reader.id, task.id],
      )
      expect(row!.all).toBe(24)
      expect(row!.unread).toBeGreaterThanOrEqual(late.length)
      const unread = await world.look.count(
        'select count(*) from notifications where receiver_id = $1 and read_at is null',
        [reader.id],
      )
      expect((await world.as(reader).get('/notifications/unread-count')).expect(200).count).toBe(unread)
    }
    const early = 'select count(*) from notifications where read_at < created_at'
    expect(await world.look.count(early)).toBe(0)
  })
})

describe('a request that waits for a decision', () => {
  let company: Tenant
  let bosses: Person[]
  let leader: Person
  let successor: Person
  let applicant: Person
  let form: { name: string; code: string }
  let department: { id: number }
  beforeAll(async () => {
    company = await world.givenTenant()
    bosses = [company.administrator, await world.givenUser(company, 'tenant-admin')]
    ;[leader, successor, applicant] = [
      await world.givenUser(company),
      await world.givenUser(company),
      await world.givenUser(company),
    ]
    form = { name: 'Sales', code: 'SALES' }
    department = (await world.as(bosses[0]!).post('/departments', { ...form, leaderId: leader.id })).expect(201)
  })

  const act = (person: Person, { id }: { id: number }, action: string) =>
    world.as(person).post(`/approvals/${id}/${action}`, undefined, { 'idempotency-key': newKey() })
  async function givenRequest({ id: departmentId } = department) {
    const draft = { type: 'LEAVE', title: 'Two days off', departmentId }
    const request = (await world.as(applicant).post('/approvals', draft)).expect(201)
    return (await act(applicant, request, 'submit')).expect(200)
  }
  async function newsOf(request: { id: number }) {
    await untilDelivered(world.look)
    return world.look.rows<{ receiver: number; type: string }>(
      `select receiver_id::float8 as receiver, type from notifications
        where resource_type = 'approval' and resource_id = $1 order by event_id, 1`,
      [request.id],
    )
  }
  const told = async (request: { id: number }) =>
    (await newsOf(request)).filter(({ type }) => type !== 'APPROVAL_PENDING')
  const toAll = (receivers: Person[], type: string) => receivers.map(({ id }) => ({ receiver: id, type }))

  test.each([
    ['two administrators who approve', ['approve', 'approve']],
    ['approval against rejection', ['approve', 'reject']],
    ['approval against cancellation', ['approve', 'cancel']],
    ['everybody together', ['approve', 'reject', 'cancel', 'approve', 'reject', 'approve']],
  ])('%s: one wins, the others come too late, the news is of the winner', async (_, actions) => {
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const request = await givenRequest()
      ;(await act(leader, request, 'approve')).expect(200)

      const answers = await Promise.all(
        actions.map((action, at) =>
          soon(() => act(action === 'cancel' ? applicant : bosses[at % 2]!, request, action), 3),
        ),
      )

      const [winner] = expectOneWinner(answers, 200, DECIDED)
      const { status } = winner!.data
      expect(await told(request)).toEqual(
        status === 'CANCELLED' ? toAll(bosses, 'APPROVAL_CANCELLED') : toAll([applicant], `APPROVAL_${status}`),
      )
    }
    await expectSoundApprovals()
  })

  test.each([
    ['approves in two windows', ['approve', 'approve']],
    ['approves in one window and rejects in another', ['approve', 'reject']],
    ['rejects in two windows', ['reject', 'reject']],
  ])('whose leader %s at the same moment is decided once', async (_, actions) => {
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const request = await givenRequest()

      const answers = await atTheSameMoment(
        request,
        actions.map((action) => () => act(leader, request, action)),
      )

      const [winner] = expectOneWinner(answers, 200, DECIDED)
      expect(winner!.data).toMatchObject({ version: 2 })
      expect(await newsOf(request)).toEqual([
        ...toAll([leader], 'APPROVAL_PENDING'),
        ...(winner!.data.status === 'PENDING'
          ? toAll(bosses, 'APPROVAL_PENDING')
          : toAll([applicant], 'APPROVAL_REJECTED')),
      ])
    }
    await expectSoundApprovals()
  })

  test('whose leader is an administrator too is not decided to its end by a double click', async () => {
    const [boss] = bosses as [Person, Person]
    const own = { name: 'Board', code: 'BOARD', leaderId: boss.id }
    const board = (await world.as(boss).post('/departments', own)).expect(201)
    for (let round = 0; round < Math.ceil(ROUNDS / 2); round++) {
      const request = await givenRequest(board)

      const click = () => act(boss, request, 'approve')
      const answers = await atTheSameMoment(request, [click, click])

      const [winner] = expectOneWinner(answers, 200, DECIDED)
      expect(winner!.data).toMatchObject({ status: 'PENDING', currentStep: 2 })
      expect((await act(boss, request, 'approve')).expect(200)).toMatchObject({ status: 'APPROVED', version: 3 })
    }
    await expectSoundApprovals()
  })

  test('may be taken back while its leader decides: the person it waited for by then is notified', async () => {
    const outcomes: Record<string, number> = {}
    for (let round = 0; round < ROUNDS; round++) {
      const request = await givenRequest()
      const action = round % 2 ? 'approve' : 'reject'

      const [decision, cancellation] = await Promise.all([
        soon(() => act(leader, request, action), 3),
        soon(() => act(applicant, request, 'cancel'), 3),
      ])

      if (decision.status !== 200) decision.expect(409, 'ILLEGAL_TRANSITION')
      if (cancellation.status !== 200) cancellation.expect(409, 'ILLEGAL_TRANSITION')
      const outcome = `${action} ${decision.status}, cancel ${cancellation.status}`
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      expect(await newsOf(request)).toEqual([
        ...toAll([leader], 'APPROVAL_PENDING'),
        ...{
          'approve 409, cancel 200': toAll([leader], 'APPROVAL_CANCELLED'),
          'reject 409, cancel 200': toAll([leader], 'APPROVAL_CANCELLED'),
          'reject 200, cancel 409': toAll([applicant], 'APPROVAL_REJECTED'),
          'approve 200, cancel 200': [...toAll(bosses, 'APPROVAL_PENDING'), ...toAll(bosses, 'APPROVAL_CANCELLED')],
        }[outcome]!,
      ])
    }
    report('a leader who decides while the applicant takes back', [], { seed: SEED, rounds: ROUNDS, outcomes })
    await expectSoundApprovals()
  })

  test('is decided by the old leader or passes to the new one, never both', async () => {
    const outcomes = { decided: 0, passed: 0 }
    let [leading, next] = [leader, successor]
    for (let round = 0; round < ROUNDS; round++) {
      const request = await givenRequest()

      const [decision, change] = await Promise.all([
        soon(() => act(leading, request, 'approve'), 4),
        soon(() => world.as(bosses[0]!).put(`/departments/${department.id}`, { ...form, leaderId: next.id }), 4),
      ])

      change.expect(200)
      if (decision.status === 200) outcomes.decided++
      else {
        expect([403, 404]).toContain(decision.status)
        outcomes.passed++
        ;(await act(next, request, 'approve')).expect(200)
      }
      ;[leading, next] = [next, leading]
    }
    report('a leader who decides while being replaced', [], { rounds: ROUNDS, ...outcomes })
    await expectSoundApprovals()
  })

  /** Sends them so that all have come to the request before the first of them is through. */
  async function atTheSameMoment({ id }: { id: number }, sends: (() => Promise<Answer>)[]): Promise<Answer[]> {
    const release = await holdRow(
      world,
      company,
      `select 1 from approvals where tenant_id = ${company.id} and id = ${id} for update`,
    )
    const answers = Promise.all(sends.map((send) => obeying(send)))
    await waitsForLock(world, answers, sends.length)
    await release()
    return answers
  }

  /** I12: one decision for each step, by the one whom it waited for, the leader's first, and both for an approval. */
  async function expectSoundApprovals() {
    const unsound = `
      select a.id from approvals a join approval_steps one on one.tenant_id = a.tenant_id and one.approval_id = a.id and one.step_order = 1
        join approval_steps two on two.tenant_id = a.tenant_id and two.approval_id = a.id and two.step_order = 2
       where (a.status = 'APPROVED') <> (one.status = 'APPROVED' and two.status = 'APPROVED')
          or (two.acted_at is not null and (one.status <> 'APPROVED' or two.acted_at < one.acted_at))
          or (one.acted_by is not null and one.acted_by <> one.approver_id)
          or (a.status = 'REJECTED') <> (one.status = 'REJECTED' or two.status = 'REJECTED')
          or (a.status = 'PENDING') <> (one.status = 'PENDING' or two.status = 'PENDING')
          or a.version <> 1 + (one.acted_by is not null)::int + (two.acted_by is not null)::int + (a.status = 'CANCELLED')::int`
    expect(await world.look.rows(unsound)).toEqual([])
    expectNoViolation('requests', await checkStanding(world.look), { seed: SEED })
  }
})

describe('the tree of departments', () => {
  let boss: Client
  beforeAll(() => {
    boss = world.as(tenant.administrator)
  })
  const givenDepartment = async () => (await boss.post('/departments', formOf(newKey()))).expect(201)
  const formOf = (code: string) => ({ name: code, code: code.replace('key', 'D') })

  test('is never closed to a circle by moves that cross', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ring = await Promise.all([givenDepartment(), givenDepartment(), givenDepartment()])

      const answers = await Promise.all(
        ring.map(({ id, name, code }, at) =>
          obeying(() => boss.put(`/departments/${id}`, { name, code, parentId: ring[(at + 1) % ring.length].id })),
        ),
      )

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
      for (const answer of answers) if (answer.status === 409) answer.expect(409, 'DEPARTMENT_CYCLE')
    }
    const circles = `
      with recursive up as (
        select tenant_id, id, parent_id, 1 as height from departments where tenant_id = $1
        union all
        select up.tenant_id, up.id, d.parent_id, height + 1 from up join departments d on d.tenant_id = up.tenant_id and d.id = up.parent_id
         where d.tenant_id = $1 and height < 100)
      select count(*) from up where height >= 100`
    expect(await world.look.count(circles, [tenant.id])).toBe(0)
    expectNoViolation('moves that cross', await checkStanding(world.look), { seed: SEED })
  })

  test('keeps a department whose first member came before its deletion', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await givenDepartment()

      const [deletion, assignment] = await Promise.all([
        soon(() => boss.delete(`/departments/${id}`), 4),
        soon(() => boss.put(`/departments/${id}/members/${people[1]!.id}`), 4),
      ])

      if (deletion.status === 200) assignment.expect(404, 'NOT_FOUND')
      else {
        deletion.expect(409, 'DEPARTMENT_NOT_EMPTY')
        assignment.expect(200)
        ;(await boss.delete(`/departments/${id}/members/${people[1]!.id}`)).expect(200)
      }
    }
  })

  test('may lose a department while a request is made for it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await givenDepartment()
      const draft = { type: 'LEAVE', title: 'Two days off', departmentId: id }

      const [deletion, ...answers] = await Promise.all([
        soon(() => boss.delete(`/departments/${id}`), 4),
        ...[1, 2, 3, 4, 5, 6].map(() => soon(() => world.as(people[1]!).post('/approvals', draft), 4)),
      ])

      deletion.expect(200)
      for (const answer of answers) if (answer.status !== 201) answer.expect(404, 'NOT_FOUND')
    }
  })
})

describe('a random mix of commands on ten rows', () => {
  const each = 8 * ROUNDS

  test(`causes no deadlock, by 32 clients who send ${each} each`, async () => {
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
    const deadlocksBefore = await deadlocks()

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
      () => me.delete(`/projects/${pick(projects).id}/members/${pick(staff).id}`),
      () => world.as(pick(staff)).put('/notifications/read-all'),
      () => me.put(`/projects/${pick(projects).id}/archive?version=999999`),
    ]
    await Promise.all(
      Array.from({ length: 32 }, async () => {
        for (let sent = 0; sent < each; sent++) {
          const { status } = await obeying(pick(commands))
          statuses[status] = (statuses[status] ?? 0) + 1
        }
      }),
    )

    report('deadlock hunt', [], { seed: SEED, statuses })
    expect(await deadlocks()).toBe(deadlocksBefore)
    expect(Object.keys(statuses).filter((status) => Number(status) >= 500)).toEqual([])
    expectNoViolation('deadlock hunt', await checkDatabase(world.look, ['I5', 'I7']))
  })

  async function deadlocks() {
    await world.look.rows('select pg_stat_force_next_flush()')
    return world.look.countEverywhere('select deadlocks from pg_stat_database where datname = current_database()')
  }
})

describe('a door that closes', () => {
  test(`lets in none of ${AT_ONCE} who register behind the answer, ${ROUNDS} times over`, async () => {
    const members = () => world.look.count('select count(*) from users where tenant_id = $1', [tenant.id])
    const email = 'person@company.example'
    const passwordHash = await hashPassword('a password of many')
    // Without the cost of a password for each, which would leave them no chance to come at the same moment.
    const enter = () =>
      insisting(() =>
        transact(world.database, { tenantId: tenant.id, actor: visitor, requestId: newKey() }, (tx) =>
          register(tx, { username: newKey(), email, passwordHash }),
        ),
      ).then(
        () => 'in',
        (error) => error.type ?? String(error),
      )
    const outcomes = { in: 0, out: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      await world.setRegistration(tenant, 'open')
      const before = await members()
      const closing = later(async () => {
        await world.setRegistration(tenant, 'closed')
        return members()
      })
      const entering = Promise.all(Array.from({ length: AT_ONCE }, () => later(enter)))
      const whenClosed = await closing
      expect(await enter()).toBe('REGISTRATION_CLOSED')
      const answers = await entering

      const taken = answers.filter((answer) => answer === 'in').length
      expect(answers.filter((answer) => answer === 'REGISTRATION_CLOSED')).toHaveLength(AT_ONCE - taken)
      expect([whenClosed, await members()]).toEqual([before + taken, before + taken])
      outcomes.in += taken
      outcomes.out += AT_ONCE - taken
    }
    const stranger = { username: newKey(), password: 'a password of many', email, tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/register', stranger)).expect(403, 'REGISTRATION_CLOSED')
    report('a door that closes', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })
})

describe('one unique name, many takers', () => {
  const names = Math.ceil(ROUNDS / 10)
  /** Each of them hashes a password. */
  const FEW = 16

  test(`${FEW} registrations make one account`, async () => {
    const account = { username: newKey(), password: 'secret-1', email: 'person@company.example' }

    const answers = await atOnce(() => world.anyone.post('/auth/register', account), FEW)

    expectOneWinner(answers, 201, 'USERNAME_TAKEN')
    expect(await world.look.count('select count(*) from users where username = $1', [account.username])).toBe(1)
  })

  test(`${AT_ONCE} projects of one code make one project`, async () => {
    for (let name = 0; name < names; name++) {
      const code = newKey()

      const answers = await atOnce((at) => create(world.as(people[at % people.length]!), newKey(), code))

      expectOneWinner(answers, 201, 'PROJECT_CODE_TAKEN')
    }
  })

  test.each([
    ['/departments', 'DEPARTMENT_CODE_TAKEN', (code: string) => ({ name: code, code })],
    ['/roles', 'ROLE_CODE_TAKEN', (code: string) => ({ name: code, code })],
    ['/content/categories', 'CATEGORY_TAKEN', (slug: string) => ({ name: slug, slug })],
  ])(`${AT_ONCE} takers of one name at %s make one`, async (path, type, draftOf) => {
    for (let name = 0; name < names; name++) {
      const draft = draftOf(newKey())

      const answers = await atOnce(() => world.as(tenant.administrator).post(path, draft))

      expectOneWinner(answers, 201, type)
    }
  })

  test(`${FEW} users of one name make one user`, async () => {
    const account = { username: newKey(), password: 'secret-1' }

    const answers = await atOnce(() => world.as(tenant.administrator).post('/users', account), FEW)

    expectOneWinner(answers, 201, 'USERNAME_TAKEN')
  })

  test(`${FEW} tenants of one code make one tenant, whole`, async () => {
    const code = newKey()
    await hashPassword('warm up')
    const draft = { name: code, code, plan: 'test', adminUsername: 'boss', adminPassword: 'a-long-password' }

    const answers = await atOnce(
      () => world.as(world.admin).post('/tenants', { ...draft, adminEmail: 'boss@company.example' }),
      FEW,
    )

    expectOneWinner(answers, 201, 'TENANT_CODE_TAKEN')
    expect(await world.look.count('select count(*) from organizations where name = $1', [code])).toBe(1)
  })
})

function atOnce(send: (at: number) => Promise<Answer>, times = AT_ONCE): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, at) => obeying(() => send(at))))
}

/** A little later, by chance, so that the rounds differ in who comes first. */
async function later<T>(act: () => Promise<T>, within = 15): Promise<T> {
  await sleep(chance() * within)
  return act()
}
const soon = (send: () => Promise<Answer>, within?: number) => later(() => obeying(send), within)

/** Why a decision comes too late: somebody else has decided, or the same person has. */
const DECIDED = ['ILLEGAL_TRANSITION', 'ALREADY_DECIDED']

/** Exactly one has the status of success; all others are 409 of one of the given types. @returns the one */
function expectOneWinner(answers: Answer[], status: number, types: string | string[], refused = 409): Answer[] {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const type = answer.error?.type
    const key = type && [types].flat().includes(type) ? `${answer.status}` : `${answer.status} ${type ?? ''}`.trim()
    counts[key] = (counts[key] ?? 0) + 1
  }
  expect(counts).toEqual({ [status]: 1, [refused]: answers.length - 1 })
  return answers.filter((answer) => answer.status === status)
}

function create(client: Client, key: string, code: string, more: object = {}): Promise<Answer> {
  return client.post('/projects', { name: `made by ${key}`, code, ...more }, { 'idempotency-key': key })
}

async function projectsNamed(key: string): Promise<number> {
  return world.look.count('select count(*) from projects where name = $1', [`made by ${key}`])
}

async function expireIn(key: string, interval: string) {
  await world.look.rows(
    'update idempotency_keys set expires_at = statement_timestamp() + $2::interval where key = $1',
    [key, interval],
  )
}

let keys = 0
function newKey(): string {
  return `key-${++keys}`
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(chance() * items.length)]!
}
