import { beforeEach, describe, expect, test } from 'vitest'
import { runJob } from '#test/jobs.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { reminders as job, reminding } from '../reminders.ts'

let tenant: Tenant
let owner: Person
let member: Person
let project: any
const world = await openWorld()
beforeEach(async () => {
  tenant = await world.givenTenant()
  owner = await world.givenUser(tenant)
  member = await world.givenUser(tenant)
  project = await world.givenProject(owner)
  await world.givenMember(owner, project, member)
})

const dueFor = (person: Person, dueDate: string, draft: object = {}) =>
  world.givenTask(owner, project, { assigneeId: person.id, dueDate, ...draft })
async function finish({ id }: { id: number }) {
  for (const [version, status] of ['IN_PROGRESS', 'DONE'].entries())
    (await world.as(owner).put(`/tasks/${id}`, { version, status })).expect(200)
}
/** Many tasks of a project that are due on the same day. */
const givenDue = (of: Tenant, { id }: { id: number }, assignee: Person, count: number) =>
  world.look.rows(
    `insert into tasks (tenant_id, project_id, title, assignee_id, reporter_id, due_date, created_at, updated_at)
     select $1, $2, 'Task ' || n, $3, $3, '2096-11-24', now(), now() from generate_series(1, $4::int) n`,
    [of.id, id, assignee.id, count],
  )
const reminders = async (person: Person) => {
  const all = (await world.as(person).get('/notifications')).expect(200)
  return all.filter(({ type }: any) => type === 'TASK_DUE')
}
const remindAt = (instant: string) => runJob(world.database, { ...job, open: () => reminding(() => new Date(instant)) })

/** In days to come, of which the service does not remind anybody by itself. */
describe('a reminder of a task', () => {
  test('comes on the day before and on the day itself, once each, from eight in the morning of the tenant', async () => {
    await world.look.rows(`update tenants set time_zone = 'Asia/Shanghai' where id = $1`, [tenant.id])
    const task = await dueFor(member, '2096-11-24', { title: 'Pack' })

    await remindAt('2096-11-22T23:59:00Z')
    expect(await reminders(member)).toEqual([])
    for (const time of ['00:00', '00:01', '15:59']) await remindAt(`2096-11-23T${time}:00Z`)
    const [first, ...more] = await reminders(member)
    expect(more).toEqual([])
    const title = 'Pack is due on 2096-11-24'
    expect(first).toMatchObject({ type: 'TASK_DUE', title, resourceType: 'task', resourceId: task.id })
    for (const day of [24, 25]) await remindAt(`2096-11-${day}T01:00:00Z`)
    expect(await reminders(member)).toHaveLength(2)
    const chinese = (await world.as(member).get('/notifications', { 'accept-language': 'zh-CN' })).expect(200)
    expect(chinese[0].title).toBe('任务 Pack 将于 2096-11-24 到期')
  })

  test('comes to those who still may read the task, and of open tasks alone', async () => {
    const left = await world.givenUser(tenant)
    const blind = await world.givenUser(tenant)
    for (const person of [left, blind]) await world.givenMember(owner, project, person)
    const chief = tenant.administrator
    await world.givenMember(owner, project, chief)
    for (const person of [left, blind, chief, member]) await dueFor(person, '2096-11-24')
    await finish(await dueFor(member, '2096-11-24'))
    await world.givenTask(owner, project, { dueDate: '2096-11-24' })
    await dueFor(member, '2096-11-26')
    // Ways that leave a task with somebody who cannot read it any more.
    await world.look.rows('delete from project_members where tenant_id = $1 and user_id = any ($2)', [
      tenant.id,
      [left.id, chief.id],
    ])
    await world.look.rows('delete from user_roles where tenant_id = $1 and user_id = $2', [tenant.id, blind.id])

    await remindAt('2096-11-23T08:00:00Z')
    const told = await world.look.rows<{ id: number }>(
      `select receiver_id::float8 as id from notifications where tenant_id = $1 and type = 'TASK_DUE' order by id`,
      [tenant.id],
    )
    expect(told.map(({ id }) => id)).toEqual([chief.id, member.id].sort((a, b) => a - b))
  })

  test('does not come of a deleted task, which is in no calendar either', async () => {
    const task = await dueFor(member, '2096-11-24', { title: 'Pack' })
    // Nobody is reminded of it by the service itself.
    const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)
    const done = await dueFor(member, soon, { title: 'Sweep' })
    await finish(done)
    const path = await getKey(member)
    expect((await read(path)).body).toMatch(/Pack.*Sweep|Sweep.*Pack/s)
    for (const { id, version } of [task, { ...done, version: 2 }])
      (await world.as(owner).delete(`/tasks/${id}?version=${version}`)).expect(200)
    await remindAt('2096-11-24T08:00:00Z')
    expect(await reminders(member)).toEqual([])
    expect((await read(path)).body).not.toMatch(/Pack|Sweep/)
  })

  test('does not come in a tenant that is closed', async () => {
    await dueFor(member, '2096-11-24')
    ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { status: 'disabled' })).expect(200)
    await remindAt('2096-11-24T08:00:00Z')
    const rounds = `select count(*) from reminder_rounds where tenant_id = $1 and day = '2096-11-24'`
    expect(await world.look.count(rounds, [tenant.id])).toBe(0)
  })

  test('of a tenant with few tasks does not wait for one with many', async () => {
    const other = await world.givenTenant()
    await givenDue(tenant, project, owner, 950)
    await givenDue(other, await world.givenProject(other.administrator), other.administrator, 1)
    while (await remindAt('2096-11-24T08:00:00Z'));
    const ended = await world.look.rows<{ tenant: number }>(
      `select tenant_id::float8 as tenant from reminder_rounds
        where tenant_id in ($1, $2) and day = '2096-11-24' and ended order by age(xmin) desc`,
      [tenant.id, other.id],
    )
    expect(ended.map((round) => round.tenant)).toEqual([other.id, tenant.id])
  })
})

const getKey = async (person: Person) => {
  const { url } = (await world.as(person).post('/users/me/calendar-key')).expect(201)
  expect(url).toMatch(new RegExp(`^http://[^/]+/api/v1/calendar/${person.tenantId}\\.[\\w-]{43}\\.ics$`))
  return new URL(url).pathname
}
const read = (url: string, headers: Record<string, string> = {}) => world.app.inject({ method: 'GET', url, headers })
/** The lines of a calendar as they were before they were folded. RFC 5545, section 3.1 */
const unfold = (text: string) => text.replaceAll('\r\n ', '').split('\r\n')

const uidOf = (tenantId: number, id: number, createdAt: string) =>
  `task-${tenantId}-${id}-${Date.parse(createdAt).toString(36)}@atrium`

describe('the calendar of a person', () => {
  const changeTenant = (patch: object) => world.as(world.admin).put(`/tenants/${tenant.id}`, patch)

  test('has their open tasks that are due, and those they have finished of late, in lines of 75 octets', async () => {
    const long = `${'任务😀'.repeat(40)}; "sand", salt\\pepper`
    const task = await dueFor(member, '2026-12-01', { title: long, description: `One\nTwo ${'ü'.repeat(500)}` })
    await dueFor(owner, '2026-12-01')
    const today = new Date().toISOString().slice(0, 10)
    const done = await dueFor(member, today, { title: 'Sweep' })
    await finish(done)
    const old = await dueFor(member, '2020-01-01', { title: 'Long ago' })
    ;(await world.as(member).put(`/tasks/${old.id}`, { version: 0, status: 'CANCELLED' })).expect(200)

    const answer = await read(await getKey(member))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    })
    const lines = unfold(answer.body)
    expect(lines[0]).toBe('BEGIN:VCALENDAR')
    expect(lines.at(-2)).toBe('END:VCALENDAR')
    expect(lines.filter((line) => line.startsWith('UID:')).sort()).toEqual(
      [task, done].map(({ id, createdAt }) => `UID:${uidOf(tenant.id, id, createdAt)}`).sort(),
    )
    expect(lines).toContain(`SUMMARY:${'任务😀'.repeat(40)}\\; "sand"\\, salt\\\\pepper`)
    expect(lines).toContain(`DESCRIPTION:One\\nTwo ${'ü'.repeat(500)}`)
    expect(Math.max(...answer.body.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(lines).toContain('DTSTART;VALUE=DATE:20261201')
    expect(lines).toContain('SUMMARY:✓ Sweep')
  })

  test('is a 304 until one of its tasks changes, keeps the UIDs, and shows nothing of a project that they left', async () => {
    const task = await dueFor(member, '2026-12-01')
    const key = await getKey(member)
    const first = await read(key)
    const again = await read(key, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    ;(await world.as(member).put(`/tasks/${task.id}`, { version: 0, dueDate: '2026-12-05' })).expect(200)
    const changed = await read(key, { 'if-none-match': String(first.headers.etag) })
    expect(changed.statusCode).toBe(200)
    expect(changed.body).toContain('DTSTART;VALUE=DATE:20261205')
    expect(changed.body).toContain('SEQUENCE:1')
    const uid = /UID:.*/.exec(first.body)![0]
    expect(changed.body).toContain(uid)
    await world.look.rows('delete from project_members where tenant_id = $1 and user_id = $2', [tenant.id, member.id])
    const left = await read(key, { 'if-none-match': String(changed.headers.etag) })
    expect(left.statusCode).toBe(200)
    expect(left.body).not.toContain(uid)
  })

  test('is unknown under a revoked or replaced key, and under one that never was', async () => {
    const first = await getKey(member)
    const second = await getKey(member)
    expect((await read(first)).statusCode).toBe(404)
    expect((await read(second)).statusCode).toBe(200)
    ;(await world.as(member).delete('/users/me/calendar-key')).expect(200)
    ;(await world.as(member).delete('/users/me/calendar-key')).expect(200)
    const unknown = ['/api/v1/calendar/x.ics', `/api/v1/calendar/${tenant.id}.${'x'.repeat(43)}.ics`]
    const answers = await Promise.all([second, ...unknown].map((path) => read(path)))
    for (const answer of answers) expect(answer.json().error).toEqual(answers[0]!.json().error)
    expect(answers[0]!.statusCode).toBe(404)
  })

  test.each([
    ['that is disabled', () => world.as(tenant.administrator).put(`/users/${member.id}`, { status: 'disabled' })],
    ['who has been deleted', () => world.as(tenant.administrator).delete(`/users/${member.id}`)],
    ['of a tenant that is closed', () => changeTenant({ status: 'disabled' })],
    ['of a tenant that has expired', () => changeTenant({ expiredAt: '2001-01-01T00:00:00Z' })],
  ])('is unknown if it is of a person %s', async (_, close) => {
    const key = await getKey(member)
    expect((await read(key)).statusCode).toBe(200)
    ;(await close()).expect(200)
    await expect.poll(async () => (await read(key)).statusCode).toBe(404)
  })

  test('has a key that no table and no record of the audit holds', async () => {
    const key = await getKey(member)
    const secret = /\.([\w-]{43})\.ics/.exec(key)![1]!
    ;(await world.as(member).delete('/users/me/calendar-key')).expect(200)
    // A person who is signed in is audited when they are refused.
    expect((await read(key, { authorization: `Bearer ${member.token}` })).statusCode).toBe(404)
    await expect
      .poll(() => world.look.count(`select count(*) from audit_operations where path = '/api/v1/calendar/:key.ics'`))
      .toBe(1)
    expect(await world.look.count('select count(*) from audit_operations where path like $1', [`%${secret}%`])).toBe(0)
    await getKey(member)
    const [row] = await world.look.rows('select key_hash from calendar_keys where tenant_id = $1', [tenant.id])
    expect(row!.key_hash).not.toContain(secret)
  })

  test('can be guessed at sixty times a minute from one network, and read all the while', async () => {
    const key = await getKey(member)
    const ask = (url: string) => world.app.inject({ url, remoteAddress: '10.77.0.1' })
    const guess = () => ask(`/api/v1/calendar/${tenant.id}.${'y'.repeat(43)}.ics`)
    const answers = await Promise.all(Array.from({ length: 61 }, guess))
    const [refused, ...others] = answers.sort((one, other) => other.statusCode - one.statusCode)
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': expect.anything() } })
    expect(others.map(({ statusCode }) => statusCode)).toEqual(Array(60).fill(404))
    expect((await ask(key)).statusCode).toBe(200)
  })
})
