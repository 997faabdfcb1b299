import { beforeAll, describe, expect, test } from 'vitest'
import { nextOf, pagesOf } from '../support/client.ts'
import { openWorld, type Person } from '../support/world.ts'

/** Every task of the tenant, as its administrator sees it. */
let all: any[]

const STATUSES = ['TODO', 'IN_PROGRESS', 'BLOCKED', 'DONE', 'CANCELLED']
const PRIORITIES = ['LOW', 'MEDIUM', 'HIGH', 'URGENT']

const world = await openWorld()
const tenant = await world.givenTenant()
const owner = await world.givenUser(tenant)
const member = await world.givenUser(tenant)
const stranger = await world.givenUser(tenant)
const garden = await world.givenProject(owner)
const house = await world.givenProject(owner)
const cellar = await world.givenProject(owner)
for (const project of [garden, house]) await world.givenMember(owner, project, member)
beforeAll(async () => {
  // Few values, so that there are ties; two days of three, and none.
  await world.look.rows(
    `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, priority, status, is_open, due_date, created_at, updated_at)
     select $1, ($2::bigint[])[1 + n % 3], 'Task ' || chr(65 + n % 4), case n % 4 when 0 then null when 1 then $3::bigint else $4::bigint end, $4,
            ($5::text[])[1 + n % 4], ($6::text[])[1 + n % 5], n % 5 < 3, case when n % 3 > 0 then date '2026-03-01' + n % 7 end,
            now(), timestamptz '2026-01-01' + n % 11 * interval '1 hour' from generate_series(1, 60) n`,
    [tenant.id, [garden.id, house.id, cellar.id], member.id, owner.id, PRIORITIES, STATUSES],
  )
  all = await world.as(tenant.administrator).read('/tasks')
  expect(all).toHaveLength(60)
})

/** All pages of a list, by its links. */
async function walk(person: Person, path: string): Promise<any[]> {
  const rows: any[] = []
  for await (const answer of pagesOf(world.as(person), path)) rows.push(...answer.expect(200))
  return rows
}

const RANK: Record<string, (task: any) => unknown> = {
  dueDate: ({ dueDate }) => dueDate,
  updatedAt: ({ updatedAt }) => updatedAt,
  priority: ({ priority }) => PRIORITIES.indexOf(priority),
  title: ({ title }) => title,
}
/** The order as it is promised: by the field, then by id; without a value last, in both directions. */
function inOrder(tasks: any[], sort: string): any[] {
  const sign = sort.startsWith('-') ? -1 : 1
  const rank = RANK[sort.replace('-', '')]!
  return tasks.toSorted((a, b) => {
    const [x, y] = [rank(a) as any, rank(b) as any]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    if (x !== y) return x < y ? -sign : sign
    return sign * (a.id - b.id)
  })
}
const ids = (tasks: any[]) => tasks.map(({ id }) => id)
const of = (...projects: any[]) => {
  const wanted = new Set(projects.map(({ id }) => id))
  return all.filter(({ projectId }) => wanted.has(projectId))
}

describe.each(['dueDate', '-dueDate', 'updatedAt', '-updatedAt'])('the tasks of all projects by %s', (sort) => {
  test('lie each on one page, of the projects that one sees', async () => {
    for (const statuses of [STATUSES, ['TODO', 'DONE']]) {
      const path = `/tasks?sort=${sort}${statuses === STATUSES ? '' : `&status=${statuses}`}`
      const wanted = (tasks: any[]) => ids(inOrder(tasks, sort).filter(({ status }) => statuses.includes(status)))
      expect(ids(await walk(member, `${path}&limit=7`))).toEqual(wanted(of(garden, house)))
      expect(ids(await walk(tenant.administrator, `${path}&limit=50`))).toEqual(wanted(all))
      expect(await walk(stranger, `${path}&limit=7`)).toEqual([])
    }
  })

  test('by page number and with their total', async () => {
    const answer = await world.as(member).get(`/tasks?page=2&pageSize=20&sort=${sort}`)
    expect(ids(answer.expect(200))).toEqual(ids(inOrder(of(garden, house), sort).slice(20, 40)))
    expect(answer.headers['x-total-count']).toBe('40')
  })
})

test.each(Object.keys(RANK).flatMap((field) => [field, `-${field}`]))(
  'the tasks of a project by %s lie each on one page',
  async (sort) => {
    for (const status of ['', 'TODO', 'DONE']) {
      const wanted = ids(inOrder(of(house), sort).filter((task) => !status || task.status === status))
      const path = `/projects/${house.id}/tasks?pageSize=5&sort=${sort}${status && `&status=${status}`}`
      expect(ids(await world.as(member).read(path))).toEqual(wanted.slice(0, 5))
      for (const by of ['', '&page=1']) expect(ids(await walk(member, path + by))).toEqual(wanted)
    }
  },
)

describe('the tasks of all projects', () => {
  test('come newest first, and follow by their ids', async () => {
    expect(ids(await walk(member, '/tasks?limit=9'))).toEqual(ids(of(garden, house)).sort((a, b) => b - a))
    expect(ids(await walk(tenant.administrator, '/tasks?limit=50'))).toEqual(ids(all))
    expect(all[0].id).toBeGreaterThan(all[1].id)
    expect(all[0].reporterName).toMatch(/^Person/)
  })

  test('are filtered by status, priority, days, words and people', async () => {
    const found = async (query: string) => ids(await walk(member, `/tasks?${query}`)).sort((a, b) => a - b)
    const wanted = (is: (task: any) => boolean) => ids(of(garden, house).filter(is)).sort((a, b) => a - b)
    expect(await found(`projectId=${house.id}`)).toEqual(wanted(({ projectId }) => projectId === house.id))
    expect(await found(`projectId=${cellar.id}`)).toEqual([])
    expect(await found('assigneeId=me')).toEqual(wanted(({ assigneeId }) => assigneeId === member.id))
    expect(await found('priority=HIGH,LOW')).toEqual(wanted(({ priority }) => ['HIGH', 'LOW'].includes(priority)))
    expect(await found('keyword=task%20a')).toEqual(wanted(({ title }) => title === 'Task A'))
    const among = wanted(({ dueDate }) => dueDate >= '2026-03-03' && dueDate <= '2026-03-05')
    expect(among.length).toBeGreaterThan(5)
    for (const sort of ['', '&sort=dueDate', '&sort=-dueDate', '&sort=updatedAt', '&limit=2&sort=dueDate'])
      expect(await found(`dueFrom=2026-03-03&dueTo=2026-03-05${sort}`)).toEqual(among)
    const first = wanted(({ dueDate }) => dueDate === '2026-03-01')
    expect(await found('dueTo=2026-03-01&sort=-dueDate&limit=1')).toEqual(first)
    expect(await found('assigneeId=me&status=TODO&priority=URGENT&keyword=task')).toEqual(
      wanted((task) => task.assigneeId === member.id && task.status === 'TODO' && task.priority === 'URGENT'),
    )
  })

  test('are walked without a gap or a repetition while the task of a link moves away', async () => {
    const project = await world.givenProject(owner)
    const tasks = []
    for (const day of ['2027-01-01', '2027-01-02', '2027-01-02', '2027-01-03'])
      tasks.push(await world.givenTask(owner, project, { dueDate: day }))
    const path = `/tasks?limit=2&sort=dueDate&projectId=${project.id}`
    const first = await world.as(owner).get(path)
    expect(ids(first.expect(200))).toEqual(ids(tasks.slice(0, 2)))
    const change = { version: 0, dueDate: '2027-06-01' }
    ;(await world.as(owner).put(`/tasks/${tasks[1].id}`, change)).expect(200)
    expect(ids(await walk(owner, nextOf(first)!))).toEqual([tasks[2].id, tasks[3].id, tasks[1].id])
  })

  test('are not asked for with what names no value', async () => {
    for (const query of [
      ...['status=OPEN', 'status=TODO,', 'priority=HIGH,TALL', 'assigneeId=you', 'dueFrom=tomorrow', 'limit=0'],
      ...['limit=1001', 'sort=title', 'sort=dueDate&behind=x', 'sort=dueDate&behind=5:2026-02-30'],
      ...['sort=updatedAt&behind=5', 'sort=updatedAt&behind=5:yesterday'],
    ])
      (await world.as(owner).get(`/tasks?${query}`)).expect(400, 'VALIDATION_FAILED')
  })
})

test('the members of a project are shown with their names to everyone who sees it, page by page', async () => {
  const members = await world.as(member).read(`/projects/${garden.id}/members`)
  const about = { role: 'member', nickname: expect.stringMatching(/^Person/), avatarUrl: null, status: 'active' }
  const since = expect.stringMatching(/Z$/)
  expect(members).toEqual([owner, member].map(({ id, username }) => ({ userId: id, username, ...about, since })))
  const answer = await world.as(tenant.administrator).get(`/projects/${garden.id}/members?pageSize=1`)
  expect(answer.headers['x-total-count']).toBe('2')
  const walked = await walk(owner, `/projects/${garden.id}/members?pageSize=1`)
  expect(walked).toEqual(members)
})
