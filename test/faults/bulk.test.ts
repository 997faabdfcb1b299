import { afterAll, expect, test } from 'vitest'
import { expectNoCircle, ROUNDS, soon } from '../support/races.ts'
import { openWorld, type Person } from '../support/world.ts'

const TASKS = 8
const world = await openWorld()
const tenant = await world.givenTenant()
const [owner, member] = [await world.givenUser(tenant), await world.givenUser(tenant)]
const projects = [await world.givenProject(owner), await world.givenProject(owner)]
for (const project of projects) await world.givenMember(owner, project, member)
const tasks: { id: number }[] = []
for (let n = 0; n < TASKS; n++) tasks.push(await world.givenTask(owner, projects[n % 2]!))
afterAll(() => expectNoCircle(world))

const bulk = (by: Person, title: string, version: number, order: readonly { id: number }[]) => {
  const assigneeId = version % 2 ? owner.id : member.id
  return world.as(by).post('/tasks/bulk', { tasks: order.map(({ id }) => ({ id, version, title, assigneeId })) })
}

test('of two changes of the same tasks, which name them crosswise, exactly one is accepted', async () => {
  for (let version = 0; version < ROUNDS; version++) {
    const [first, second] = await Promise.all([
      soon(() => bulk(owner, `owner ${version}`, version, tasks), 3),
      soon(() => bulk(member, `member ${version}`, version, tasks.toReversed()), 3),
    ])

    const winner = first.status === 200 ? 'owner' : 'member'
    for (const [who, answer] of [
      ['owner', first],
      ['member', second],
    ] as const)
      if (who === winner) answer.expect(200)
      else answer.expect(409, 'VERSION_CONFLICT')
    const titles = await world.look.rows('select distinct title, version from tasks where id = any($1)', [
      tasks.map(({ id }) => id),
    ])
    expect(titles).toEqual([{ title: `${winner} ${version}`, version: version + 1 }])
  }
})

test('of two that overlap by one task, the one that is refused changes none', async () => {
  const [{ version: at }] = (await world.look.rows('select max(version) as version from tasks', [])) as [any]
  for (let round = 0; round < ROUNDS; round++) {
    const shared = await world.givenTask(owner, projects[0]!)
    const own = [await world.givenTask(owner, projects[1]!), await world.givenTask(owner, projects[0]!)]
    const answers = await Promise.all([
      soon(() => bulk(owner, 'left', 0, [own[0]!, shared]), 3),
      soon(() => bulk(member, 'right', 0, [shared, own[1]!]), 3),
    ])

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const changed = 'select count(*) from tasks where id = any($1) and version = 1'
    expect(await world.look.count(changed, [[shared, ...own].map(({ id }) => id)])).toBe(2)
  }
  expect(at).toBeGreaterThan(0)
})
