import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { expectNoCircle, roundsOf, soon } from '../support/races.ts'
import { openWorld, type Person, type Tenant, type World } from '../support/world.ts'

/** Viewers have no work: making somebody one and giving them a task exclude each other, in either order. */
const ROUNDS = roundsOf()
let world: World
let tenant: Tenant
let owner: Person
let ben: Person
let project: { id: number }
beforeAll(async () => {
  world = await openWorld()
  tenant = await world.givenTenant()
  ;[owner, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  project = await world.givenProject(owner)
})
afterAll(() => expectNoCircle(world))

const place = (role: string) => world.as(owner).put(`/projects/${project.id}/members/${ben.id}`, { role })
const finish = async () =>
  world.look.rows(
    `update tasks set status = 'CANCELLED', is_open = false, version = version + 1 where project_id = $1 and is_open`,
    [project.id],
  )

test.each(['a new task', 'a task that is there'])(
  'of a viewer and %s for them exactly one comes true',
  async (what) => {
    const outcomes = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      await finish()
      ;(await place('member')).expect(200)
      const task = await world.givenTask(owner, project)
      const assign = () =>
        what === 'a new task'
          ? world.as(owner).post(`/projects/${project.id}/tasks`, { title: 'For Ben', assigneeId: ben.id })
          : world.as(owner).put(`/tasks/${task.id}`, { version: 0, assigneeId: ben.id })

      const [viewed, assigned] = await Promise.all([soon(() => place('viewer')), soon(assign)])

      const outcome = [viewed, assigned].map(({ status, error }) => `${status} ${error?.type ?? ''}`.trim()).join(', ')
      outcomes.add(outcome.replace('201', '200'))
    }
    for (const outcome of outcomes)
      expect(['200, 400 ASSIGNEE_NOT_MEMBER', '409 MEMBER_HAS_OPEN_TASKS, 200']).toContain(outcome)
    const idle = `select count(*) from tasks t join project_members m using (tenant_id, project_id)
    where t.is_open and m.user_id = t.assignee_id and m.role = 'viewer'`
    expect(await world.look.count(idle)).toBe(0)
  },
)

test('of a viewer and a project for them neither leaves an owner who views it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await finish()
    const { version } = (await world.as(tenant.administrator).get(`/projects/${project.id}`)).expect(200)
    const handOver = () => world.as(tenant.administrator).put(`/projects/${project.id}`, { version, ownerId: ben.id })
    const demote = () =>
      world.as(tenant.administrator).put(`/projects/${project.id}/members/${ben.id}`, { role: 'viewer' })

    const [given, viewed] = await Promise.all([soon(handOver), soon(demote)])

    given.expect(200)
    expect([200, 409]).toContain(viewed.status)
    expect((await world.as(ben).get(`/projects/${project.id}`)).expect(200).myRole).toBe('owner')
    const back = { version: version + 1, ownerId: owner.id }
    ;(await world.as(ben).put(`/projects/${project.id}`, back)).expect(200)
  }
  await untilDelivered(world.look)
  expectNoViolation('viewers', await checkDatabase(world.look, ['I4c', 'I5', 'I7', 'I8', 'I24']))
})
