import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'

const world = await openWorld()
const tenants = await Promise.all([world.givenTenant(), world.givenTenant(), world.givenTenant()])
const people = await Promise.all(tenants.map((tenant) => world.givenUser(tenant)))
const projects = await Promise.all(people.map((person) => world.givenProject(person)))

const create = (at: number, project: { id: number }, title: string) =>
  world.as(people[at]!).post(`/projects/${project.id}/tasks`, { title })

test('commands of several tenants that commit together are each in their own, and each id is drawn once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => create(n % 3, projects[n % 3]!, `together ${n}`)),
  )

  expect(new Set(answers.map((answer) => answer.expect(201).id)).size).toBe(60)
  const tasks = await world.look.rows(
    `select t.xmin::text as commit,
            p.id is null or t.reporter_id <> all ($1) or a.tenant_id is null or a.xmin::text <> t.xmin::text as strange
       from tasks t
       left join projects p on p.tenant_id = t.tenant_id and p.id = t.project_id
       left join activities a on a.tenant_id = t.tenant_id and a.task_id = t.id
      where t.title like 'together%'`,
    [people.map(({ id }) => id)],
  )
  expect(tasks.map(({ strange }) => strange)).toEqual(Array(60).fill(false))
  expect(new Set(tasks.map(({ commit }) => commit)).size).toBeLessThan(60)
  const [audits] = await world.look.rows(`
    select count(*)::int as written, count(*) filter (where u.id is null)::int as strange
      from audit_operations o left join users u on u.tenant_id = o.tenant_id and u.id = o.user_id
     where o.route like '%/projects/:id/tasks' and o.status = 201`)
  expect(audits).toEqual({ written: 60, strange: 0 })
})

test('one that is refused takes nothing from those that it would have committed with', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => create(n % 3, projects[(n % 5 ? n : n + 1) % 3]!, `beside ${n}`)),
  )

  for (const [n, answer] of answers.entries()) {
    if (n % 5) answer.expect(201)
    else answer.expect(404, 'NOT_FOUND')
  }
  const made = await world.look.rows(`select title from tasks where title like 'beside%'`)
  expect(made.map(({ title }) => Number(title.split(' ')[1])).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 60 }, (_, n) => n).filter((n) => n % 5),
  )
})
