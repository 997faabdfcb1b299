import { expect, test } from 'vitest'
import { obeying } from '#test/obedient.ts'
import { openWorld } from '#test/world.ts'
import { markInTenant } from '../../../../data/jobs/leased-work.ts'
import { moveCursors } from '../../reading.store.ts'

const world = await openWorld()
const tenants = await Promise.all([1, 2, 3].map(() => world.givenTenant()))
const people = await Promise.all(tenants.map((tenant) => world.givenUser(tenant)))
const projects: { id: number }[] = await Promise.all(people.map((person) => world.givenProject(person)))

const create = (at: number, project: { id: number }, title: string) =>
  obeying(() => world.as(people[at]!).post(`/projects/${project.id}/tasks`, { title }))

test('marks that may be lost commit with no command', async () => {
  const [tenant, count] = [tenants[0]!.id, 20]
  const ids = await world.look.rows(
    `insert into webhooks (tenant_id, url, types, sealed, is_paused, last_event_id)
     select $1, 'https://example.com', '{*}', 'x', true, 0 from generate_series(1, $2) returning id::float8`,
    [tenant, count],
  )
  const [answers] = await Promise.all([
    Promise.all(Array.from({ length: 60 }, (_, n) => create(n % 3, projects[n % 3]!, `lasting ${n}`))),
    ...ids.map(({ id }) =>
      markInTenant(world.database, tenant, 'marks', async (tx) => moveCursors(tx, { ids: [id], lastEventId: 1 })),
    ),
  ])

  for (const answer of answers) answer.expect(201)
  const marks = await world.look.rows(
    'select xmin::text as commit from webhooks where tenant_id = $1 and id = any($2) and last_event_id = 1',
    [tenant, ids.map(({ id }) => id)],
  )
  const tasks = await world.look.rows('select xmin::text as commit from tasks where tenant_id = $1', [tenant])
  const commits = new Set(marks.map(({ commit }) => commit))
  expect(commits.size).toBe(count)
  expect(tasks.length).toBeGreaterThan(0)
  expect(tasks.filter(({ commit }) => commits.has(commit))).toEqual([])
})
