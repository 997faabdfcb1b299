import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Answer } from '#test/client.ts'
import { AT_ONCE, atOnce, expectNoCircle, ROUNDS, soon } from '#test/races.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

/** Tables that are imported at the same time as each other, and as what they rely on goes. */
const ROWS = 20
let tenant: Tenant
let owner: Person
let ben: Person
let project: { id: number; version: number }
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[owner, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
})
afterAll(() => expectNoCircle(world))

let keys = 0
const send = (person: Person, path: string, table: string, key = `raced-${++keys}`) =>
  world.as(person).send({
    method: 'POST',
    url: `/api/v1${path}/import`,
    headers: { 'content-type': 'text/csv', 'idempotency-key': key },
    payload: table,
  })
const importTasks = (rows: readonly string[], key?: string) =>
  send(owner, `/projects/${project.id}/tasks`, ['title,assignee', ...rows].join('\n'), key)
const rowsFor = (assignee = '') => Array.from({ length: ROWS }, (_, at) => `Task ${at},${assignee}`)
const tasks = () => world.look.count('select count(*) from tasks where project_id = $1', [project.id])
const outcomeOf = (answers: readonly Answer[]) =>
  answers.map(({ status, error }) => `${status} ${error?.type ?? ''}`.trim()).join(', ')

test(`a table that is sent many times with one key is imported once, ${ROUNDS} times over`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    project = await world.givenProject(owner)
    const answers = await atOnce(() => importTasks(rowsFor(), `once-${round}`), AT_ONCE / 4)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer.status).toBe(409)
    expect(await tasks()).toBe(ROWS)
  }
})

test('of two tables of the same people, in other orders, one is imported', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const people = Array.from({ length: 4 }, (_, at) => `raced-${round}-${at},correct horse`)
    const tables = [people, people.toReversed()].map((rows) => ['username,password', ...rows].join('\n'))
    const answers = await Promise.all(tables.map((table) => soon(() => send(tenant.administrator, '/users', table))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    const made = `select count(*) from users where tenant_id = $1 and username like $2`
    expect(await world.look.count(made, [tenant.id, `raced-${round}-%`])).toBe(people.length)
  }
})

test('of an import and the archiving of its project the first comes true, and no task is made afterwards', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    project = await world.givenProject(owner)
    const archive = () => world.as(owner).put(`/projects/${project.id}/archive?version=${project.version}`)
    const answers = await Promise.all([soon(() => importTasks(rowsFor())), soon(archive)])
    outcomes.add(outcomeOf(answers))
    expect(await tasks()).toBe(answers[0]!.status === 201 ? ROWS : 0)
  }
  for (const outcome of outcomes) expect(['201, 200', '409 PROJECT_ARCHIVED, 200']).toContain(outcome)
})

test('of an import for a member and their removal exactly one comes true', async () => {
  const outcomes = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    project = await world.givenProject(owner)
    await world.givenMember(owner, project, ben)
    const leave = () => world.as(owner).delete(`/projects/${project.id}/members/${ben.id}`)
    outcomes.add(outcomeOf(await Promise.all([soon(() => importTasks(rowsFor(ben.username))), soon(leave)])))
    const strangers = `select count(*) from tasks t where t.project_id = $1 and t.assignee_id is not null and not exists
      (select from project_members m where m.project_id = t.project_id and m.user_id = t.assignee_id)`
    expect(await world.look.count(strangers, [project.id])).toBe(0)
  }
  for (const outcome of outcomes)
    expect(['201, 409 MEMBER_HAS_OPEN_TASKS', '400 IMPORT_REFUSED, 200']).toContain(outcome)
})
