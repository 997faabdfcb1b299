import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { expectNoViolation, report } from '../support/invariants.ts'
import { obeying } from '../support/obedient.ts'
import { checkStanding } from '../support/standing.ts'
import { randomFrom } from '../support/workload.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** RACE_ROUNDS=100 for the full run, HANDED_OVER=10000 for the largest hand-over. */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 3)
const HANDED_OVER = Number(process.env.HANDED_OVER ?? 500)
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
const chance = randomFrom(SEED)

/** People leave while others give them work, and decide. */
let world: World
let tenant: Tenant
let leaver: Person
let heir: Person
let colleague: Person
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
beforeEach(async () => {
  tenant = await world.givenTenant()
  ;[leaver, heir, colleague] = await Promise.all([
    world.givenUser(tenant),
    world.givenUser(tenant),
    world.givenUser(tenant),
  ])
})

const boss = () => world.as(tenant.administrator)
const handOver = () => boss().post(`/users/${leaver.id}/hand-over`, { toUserId: heir.id })
const remove = ({ id }: Person) => boss().delete(`/users/${id}`)
let keys = 0
const submitted = async (departmentId: number) => {
  const draft = { type: 'leave', title: 'Off', departmentId }
  const { id } = (await world.as(colleague).post('/approvals', draft)).expect(201)
  const key = { 'idempotency-key': `leaving-${++keys}` }
  return (await world.as(colleague).post(`/approvals/${id}/submit`, undefined, key)).expect(200)
}
const departmentOf = async (leader: Person) =>
  (await boss().post('/departments', { name: 'D', code: `D-${++keys}`, leaderId: leader.id })).expect(201)
async function later<T>(act: () => Promise<T>, within = 8): Promise<T> {
  await sleep(chance() * within)
  return act()
}
const soon = (send: () => Promise<Answer>, within?: number) => later(() => obeying(send), within)

describe('a hand-over', () => {
  test('against new tasks: each is passed on or was given afterwards, and none is lost', async () => {
    const project = await world.givenProject(colleague)
    await world.givenMember(colleague, project, leaver)
    const outcomes = { passed: 0, after: 0 }

    for (let round = 0; round < ROUNDS; round++) {
      const draft = { title: `task ${round}`, assigneeId: leaver.id }
      const [handed, ...made] = await Promise.all([
        soon(handOver),
        ...Array.from({ length: 8 }, () =>
          soon(() => world.as(colleague).post(`/projects/${project.id}/tasks`, draft)),
        ),
      ])
      handed.expect(200)
      const ids = made.map((answer) => answer.expect(201).id)
      const tasks = await Promise.all(ids.map(async (id) => (await boss().get(`/tasks/${id}`)).expect(200)))
      const passed = tasks.filter(({ assigneeId }) => assigneeId === heir.id)
      // A task that was given after the hand-over has never been changed.
      for (const { assigneeId, version } of tasks) expect(version).toBe(assigneeId === heir.id ? 1 : 0)
      for (const { id } of passed) {
        const [newest] = (await boss().get(`/tasks/${id}/activities`)).expect(200)
        expect(newest).toMatchObject({ action: 'TASK_ASSIGNED', newValue: String(heir.id) })
      }
      outcomes.passed += passed.length
      outcomes.after += tasks.length - passed.length
      ;(await handOver()).expect(200)
    }
    expectNoViolation('hand-over against new tasks', await checkStanding(world.look), { seed: SEED })
    report('hand-over against new tasks', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })

  test('against the deletion of its heir: nothing ends with who has gone', async () => {
    const outcomes = { handed: 0, gone: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      ;[leaver, heir] = [await world.givenUser(tenant), await world.givenUser(tenant)]
      await world.givenProject(leaver)
      await departmentOf(leaver)
      const [handed, deleted] = await Promise.all([soon(handOver, 4), soon(() => remove(heir), 4)])
      if (handed.status === 200) deleted.expect(409, 'USER_IN_USE')
      else handed.expect(404, 'NOT_FOUND')
      outcomes[handed.status === 200 ? 'handed' : 'gone']++
    }
    expectNoViolation('hand-over to the deleted', await checkStanding(world.look), { seed: SEED })
    report('hand-over to the deleted', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })

  test(`of ${HANDED_OVER} tasks is one transaction`, async () => {
    const project = await world.givenProject(leaver)
    await world.look.rows(
      `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, is_open, created_at, updated_at)
       select $1, $2, 'Task ' || n, $3, $3, true, now(), now() from generate_series(1, $4::int) n`,
      [tenant.id, project.id, leaver.id, HANDED_OVER],
    )
    expect((await handOver()).expect(200)).toMatchObject({ tasks: HANDED_OVER, projects: 1 })
    const lines = `select count(*) from activities where tenant_id = $1 and action = 'TASK_ASSIGNED'`
    expect(await world.look.count(lines, [tenant.id])).toBe(HANDED_OVER)
  })
})

describe('a deletion', () => {
  test('against whoever passes a request to the person', async () => {
    const department = await departmentOf(leaver)
    const outcomes = { passed: 0, gone: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const next = await world.givenUser(tenant)
      const request = await submitted(department.id)
      const [passed, deleted] = await Promise.all([
        soon(() => boss().post(`/approvals/${request.id}/reassign`, { userId: next.id }), 4),
        soon(() => remove(next), 4),
      ])
      if (passed.status === 200) deleted.expect(409, 'USER_IN_USE')
      else {
        passed.expect(404, 'NOT_FOUND')
        deleted.expect(200)
      }
      outcomes[passed.status === 200 ? 'passed' : 'gone']++
    }
    report('deletion against reassignment', [], { seed: SEED, rounds: ROUNDS, ...outcomes })
  })
})
