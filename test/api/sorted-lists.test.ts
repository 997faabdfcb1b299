import { beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../src/data/tx/scope.ts'
import { listProjects, projectsViewedBy } from '../../src/domains/projects/projects.store.ts'
import { listUsers } from '../../src/domains/users/users.store.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { onEachServer } from '../support/database.ts'
import { openPlanner } from '../support/plans.ts'
import { openWorld } from '../support/world.ts'

const ROWS = 5000

const world = await openWorld()
const planner = await openPlanner(world)
beforeAll(async () => {
  const [administrator] = await world.look.rows('select password_hash from users where id = 1 and tenant_id = 1')
  await world.look.rows(
    `insert into users (tenant_id, username, password_hash, look, skeleton)
     select 1, 'sorted-' || md5(n::text), $1, 'l' || n, 's' || n from generate_series(1, ${ROWS}) n`,
    [administrator!.password_hash],
  )
  await world.look.rows(
    `insert into projects (tenant_id, id, name, code, owner_id, created_at, updated_at)
     select 1, 100000 + n, 'Project', md5(n::text), 1, now(), now() from generate_series(1, ${ROWS}) n`,
  )
  await onEachServer(world.databaseUrl, 'analyze')
})

const sorted = (sort: string, behind?: string): PageRequest => {
  return { limit: 50, before: undefined, counted: false, sort, behind }
}
const ALL = projectsViewedBy({ id: 1, isAdministrator: true })
const lists: [string, (scope: Scope) => Promise<unknown>][] = [
  ['projects by code', (scope) => listProjects(scope, ALL, sorted('code'))],
  ['projects by code, the last first', (scope) => listProjects(scope, ALL, sorted('-code'))],
  ['projects behind a code', (scope) => listProjects(scope, ALL, sorted('code', '8'))],
  ['users by name', (scope) => listUsers(scope, {}, sorted('username'))],
  ['the oldest users', (scope) => listUsers(scope, {}, sorted('id'))],
]

test.each(lists)('%s come by an index: a page costs the same however many there are', async (_, read) => {
  for (const plan of await planner.plansOf(1, read)) {
    expect(plan).toMatch(/Index Scan (Backward )?using (projects_code_taken|users_username_taken|users_pkey)/)
    expect(plan).not.toMatch(/Sort Key: (projects|users)\./)
  }
})
