import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { until } from '../support/patience.ts'
import { addFactor, type Phone } from '../support/second-factor.ts'
import { type Mailhost, openMailhost } from '../support/smtp.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/**
 * A year of a company, through HTTP and a real mail server. People are invited, lead, go on leave, forget passwords,
 * leave and come back. After each month the invariants hold, nobody is stuck, and nobody sees what they should not.
 */
const PEOPLE = 24
const AT_ONCE = 6
const PASSWORD = 'correct horse battery'
const SALES = 'Sales'

let mailhost: Mailhost
let world: World
let company: { id: number; code: string }
let boss: Person
/** everybody who was invited, by the order of their addresses */
const people: Employee[] = []
const gone: Employee[] = []
let departments: { id: number; code: string }[]
let projects: { id: number; members: Employee[] }[]

interface Employee extends Person {
  email: string
  password: string
  phone?: Phone
}

beforeAll(async () => {
  mailhost = await openMailhost()
  world = await openWorld({
    env: {
      MAIL_URL: mailhost.url,
      MAIL_FROM: 'Atrium <no-reply@atrium.example>',
      RENEWALS: '{"team":{"amountCents":29900,"days":365}}',
      // Everybody comes from one address here.
      RESET_LIMIT: '0',
      SIGN_IN_LIMIT: '1000',
    },
  })
})
afterAll(async () => {
  await world.close()
  await mailhost.close()
})

const of = (person: Person) => world.as(person)
const emailOf = (at: number) => `employee-${at}@company.example`
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const isThere = (person: Employee) => !gone.includes(person)

/** The token of the newest mail to an address. */
async function tokenTo(address: string, count = 1): Promise<string> {
  const mails = await mailhost.mailsTo(address, count)
  return /#token=(\S+)/.exec(mails.at(-1)!.text!)![1]!
}

async function signIn(person: Employee, more: object = {}): Promise<void> {
  const { username, password } = person
  const body = { username, password, tenantCode: company.code, ...more }
  person.token = (await world.anyone.post('/auth/login', body)).expect(200).accessToken
}

async function join(at: number): Promise<Employee> {
  const email = emailOf(at)
  const username = `employee-${at}`
  const body = { token: await tokenTo(email), username, password: PASSWORD, nickname: `Employee ${at}` }
  const { accessToken: token } = (await world.anyone.post('/auth/invitations/accept', body)).expect(201)
  const { id } = (await world.as({ token } as Person).get('/auth/me')).expect(200)
  return { id, tenantId: company.id, username, token, email, password: PASSWORD }
}

async function submitted(applicant: Employee, department = departments[0]!) {
  const draft = { type: 'leave', title: `Leave of ${applicant.username}`, departmentId: department.id }
  const { id } = (await of(applicant).post('/approvals', draft)).expect(201)
  return (await of(applicant).post(`/approvals/${id}/submit`, undefined, { 'idempotency-key': randomUUID() })).expect(
    200,
  )
}

/** What has to be true at the end of each month. */
async function closeMonth(name: string): Promise<void> {
  await untilDelivered(world.look)
  expectNoViolation(name, await checkDatabase(world.look))

  // Nobody is stuck: who is there gets in, and what waits waits for somebody who can act.
  for (const person of people.filter(isThere)) (await of(person).get('/auth/me')).expect(200)
  const stuck = await world.look.rows(`
    select a.id from approvals a join approval_steps s on s.tenant_id = a.tenant_id and s.approval_id = a.id
      left join users u on u.tenant_id = s.tenant_id and u.id = s.approver_id
     where s.status = 'PENDING' and s.step_order = 1 and s.approver_id is not null and u.deleted_at is not null
    union all
    select t.id from tasks t join users u on u.tenant_id = t.tenant_id and u.id = t.assignee_id
     where t.status not in ('DONE', 'CANCELLED') and u.status <> 'active'`)
  expect(stuck).toEqual([])

  // Nobody sees what they should not: neither those who left, nor those of other projects.
  for (const person of gone) (await of(person).get('/auth/me')).expect(401)
  for (const { id, members } of projects ?? []) {
    const outsider = people.find((person) => isThere(person) && !members.includes(person))!
    ;(await of(outsider).get(`/projects/${id}`)).expect(404, 'NOT_FOUND')
    ;(await of(outsider).get(`/projects/${id}/tasks`)).expect(404, 'NOT_FOUND')
    const seen = (await of(outsider).get('/tasks?limit=200')).expect(200)
    expect(seen.filter(({ projectId }: any) => projectId === id)).toEqual([])
  }
}

test('January: the company is founded', async () => {
  const founder = { adminUsername: 'boss', adminPassword: PASSWORD, adminEmail: 'boss@company.example' }
  const draft = { name: 'Company', code: 'company', plan: 'team', ...founder }
  company = (await of(world.admin).post('/tenants', draft)).expect(201)
  const body = { username: 'boss', password: PASSWORD, tenantCode: 'company' }
  const { accessToken: token } = (await world.anyone.post('/auth/login', body)).expect(200)
  const { id } = (await world.as({ token } as Person).get('/auth/me')).expect(200)
  boss = { id, tenantId: company.id, username: 'boss', token }
  const settings = { timeZone: 'Asia/Shanghai', locale: 'en', passwordMinLength: 10 }
  ;(await of(boss).put('/tenant/settings', settings)).expect(200)
  await closeMonth('January')
})

test('February: people are invited by mail, and join, six at a time', async () => {
  for (let at = 0; at < PEOPLE; at++) (await of(boss).post('/invitations', { email: emailOf(at) })).expect(201)
  for (let at = 0; at < PEOPLE; at += AT_ONCE)
    people.push(...(await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => join(at + more)))))

  expect(new Set(people.map(({ id }) => id)).size).toBe(PEOPLE)
  expect((await of(boss).get('/invitations?status=pending')).expect(200)).toEqual([])
  expect((await of(people[0]!).get('/users/me')).expect(200)).toMatchObject({ emailVerified: true })
  await closeMonth('February')
})

test('March: departments, projects and the first requests', async () => {
  departments = []
  for (const [at, leader] of [people[0]!, people[1]!, people[2]!, people[4]!].entries()) {
    const draft = { name: at ? `Department ${at}` : SALES, code: `D${at}`, leaderId: leader.id }
    departments.push((await of(boss).post('/departments', draft)).expect(201))
  }
  projects = []
  for (let at = 0; at < 5; at++) {
    const members = people.slice(at * 4, at * 4 + 4)
    const [owner, ...others] = members as [Employee, ...Employee[]]
    const project = await world.givenProject(owner)
    for (const member of others) await world.givenMember(owner, project, member)
    for (const member of members) await world.givenTask(owner, project, { assigneeId: member.id, dueDate: dayIn(at) })
    projects.push({ id: project.id, members })
  }
  const { id } = await submitted(people[20]!)
  ;(await of(people[0]!).post(`/approvals/${id}/approve`)).expect(200)
  ;(await of(boss).post(`/approvals/${id}/approve`)).expect(200)
  await closeMonth('March')
})

test('April: a leader is on leave, and a substitute decides', async () => {
  const [leader, substitute, applicant] = [people[0]!, people[10]!, people[11]!]
  const request = await submitted(applicant)
  ;(await of(substitute).get(`/approvals/${request.id}`)).expect(404, 'NOT_FOUND')
  const days = { userId: substitute.id, from: dayIn(-2), until: dayIn(20) }
  ;(await of(leader).put('/users/me/substitute', days)).expect(200)
  const decided = (await of(substitute).post(`/approvals/${request.id}/approve`)).expect(200)
  expect(decided.steps[0]).toMatchObject({ actedBy: substitute.id, decidedForId: leader.id })
  ;(await of(boss).post(`/approvals/${request.id}/approve`)).expect(200)
  ;(await of(leader).delete('/users/me/substitute')).expect(200)
  const next = await submitted(applicant)
  ;(await of(substitute).post(`/approvals/${next.id}/approve`)).expect(404, 'NOT_FOUND')
  await closeMonth('April')
})

test('May: five people forget their passwords', async () => {
  const forgetful = people.slice(14, 19)
  for (const { username } of forgetful)
    (await world.anyone.post('/auth/password-resets', { username, tenantCode: company.code })).expect(200)
  // The answer for somebody who does not exist is the same.
  const nobody = await world.anyone.post('/auth/password-resets', { username: 'nobody', tenantCode: company.code })
  expect(nobody.expect(200)).toBeNull()

  for (const person of forgetful) {
    const before = mailhost.delivered.filter(({ to }) => to === person.email).length
    const token = await resetTokenTo(person.email, before)
    const newPassword = `another ${PASSWORD}`
    ;(await world.anyone.post('/auth/password-resets/confirm', { token, newPassword })).expect(200)
    ;(await world.anyone.post('/auth/password-resets/confirm', { token, newPassword })).expect(404, 'RESET_NOT_FOUND')
    ;(await of(person).get('/auth/me')).expect(401)
    person.password = newPassword
    await signIn(person)
  }
  await closeMonth('May')
})

/** Other mails may come in between. */
async function resetTokenTo(address: string, seen: number): Promise<string> {
  const link = /\/account\/password#token=(\S+)/
  for (let count = Math.max(seen, 1); ; count++) {
    const mails = await mailhost.mailsTo(address, count)
    const found = mails.findLast(({ text }) => link.test(text!))
    if (found) return link.exec(found.text!)![1]!
  }
}

test('June: a second factor becomes a duty', async () => {
  ;(await of(boss).put('/tenant/settings', { secondFactor: 'required' })).expect(409, 'SECOND_FACTOR_MISSING')
  await addFactor(of(boss), PASSWORD)
  ;(await of(boss).put('/tenant/settings', { secondFactor: 'required' })).expect(200)
  await until(async () => (await of(people[23]!).get('/projects')).expect(403, 'SECOND_FACTOR_MISSING'))
  for (const person of people) {
    person.phone = await addFactor(of(person), person.password)
    ;(await of(person).get('/projects')).expect(200)
  }
  const [forgetful] = people.slice(15)
  const body = { username: forgetful!.username, password: forgetful!.password, tenantCode: company.code }
  ;(await world.anyone.post('/auth/login', body)).expect(401, 'SECOND_FACTOR_REQUIRED')
  await signIn(forgetful!, { code: forgetful!.phone!.recoveryCodes[0] })
  await closeMonth('June')
})

test('July: a leader leaves, and hands over what was theirs', async () => {
  const [leaver, heir] = [people[0]!, people[1]!]
  // The heir leads another department: nothing moves.
  ;(await of(boss).post(`/users/${leaver.id}/hand-over`, { toUserId: heir.id })).expect(409, 'MEMBER_IS_LEADER')
  const waiting = await submitted(people[12]!)
  const next = people[3]!
  const { tasks, projects: owned } = (await of(boss).get(`/users/${leaver.id}/responsibilities`)).expect(200)
  expect(tasks.length).toBeGreaterThan(0)
  expect(owned.map(({ id }: any) => id)).toContain(projects[0]!.id)
  ;(await of(boss).post(`/users/${leaver.id}/hand-over`, { toUserId: next.id })).expect(200)
  ;(await of(boss).delete(`/users/${leaver.id}`)).expect(200)
  gone.push(leaver)
  projects[0]!.members = projects[0]!.members.filter((member) => member !== leaver)
  ;(await of(next).post(`/approvals/${waiting.id}/approve`)).expect(200)
  ;(await of(boss).post(`/approvals/${waiting.id}/approve`)).expect(200)
  await closeMonth('July')
})

test('August: a project is archived, and opened again', async () => {
  const { id, members } = projects[1]!
  const [owner, member] = members as [Employee, Employee]
  const version = async () => (await of(owner).get(`/projects/${id}`)).expect(200).version
  ;(await of(owner).put(`/projects/${id}/archive?version=${await version()}`)).expect(200)
  ;(await of(member).post(`/projects/${id}/tasks`, { title: 'Too late' })).expect(409, 'PROJECT_ARCHIVED')
  ;(await of(owner).put(`/projects/${id}/unarchive?version=${await version()}`)).expect(200)
  ;(await of(member).post(`/projects/${id}/tasks`, { title: 'In time' })).expect(201)
  await closeMonth('August')
})

test('September: the plan expires and is renewed', async () => {
  const plan = (expiredAt: string | null) => of(world.admin).put(`/tenants/${company.id}`, { expiredAt })
  ;(await plan('2001-01-01T00:00:00Z')).expect(200)
  ;(await of(people[5]!).get('/projects')).expect(403, 'TENANT_EXPIRED')
  const order = (await of(boss).post('/tenant/renewals', { channel: 'card' })).expect(201)
  expect(order).toMatchObject({ amountCents: 29_900, renewalDays: 365, status: 'pending' })
  ;(await plan(`${dayIn(365)}T00:00:00Z`)).expect(200)
  ;(await of(people[5]!).get('/projects')).expect(200)
  await closeMonth('September')
})

test('October: a person is erased, and nothing names them any more', async () => {
  const [person, heir] = [people[23]!, people[22]!]
  const name = 'Zebulon Quartermaine'
  ;(await of(person).put('/users/me', { nickname: name })).expect(200)
  const { id } = await submitted(person, departments[2])
  ;(await of(boss).delete(`/users/${person.id}`)).expect(409)
  ;(await of(person).post(`/approvals/${id}/cancel`)).expect(200)
  ;(await of(boss).post(`/users/${person.id}/hand-over`, { toUserId: heir.id })).expect(200)
  ;(await of(boss).delete(`/users/${person.id}`)).expect(200)
  gone.push(person)
  for (const table of ['users', 'approvals', 'approval_steps', 'activities', 'comments', 'task_comments'])
    expect(
      await world.look.count(`select count(*) from ${table} t where t::text ilike $1 or t::text ilike $2`, [
        `%${name}%`,
        `%${person.email}%`,
      ]),
      table,
    ).toBe(0)
  await closeMonth('October')
})

test('November: somebody comes back under their old name', async () => {
  const [person] = gone as [Employee]
  const { username } = person
  const body = { username, password: PASSWORD, email: person.email }
  ;(await of(boss).post(`/users/${person.id}/restore`, body)).expect(201)
  gone.splice(gone.indexOf(person), 1)
  person.password = PASSWORD
  await signIn(person)
  // A second factor is a duty here, and the old one went with the person.
  ;(await of(person).get('/projects')).expect(403, 'SECOND_FACTOR_MISSING')
  person.phone = await addFactor(of(person), PASSWORD)
  expect((await of(person).get('/projects')).expect(200)).toEqual([])
  await closeMonth('November')
})

test('December: what waits is passed on, and the year is whole', async () => {
  const request = await submitted(people[13]!, departments[3])
  ;(await of(boss).post(`/approvals/${request.id}/reassign`, { userId: people[14]!.id })).expect(200)
  ;(await of(people[4]!).post(`/approvals/${request.id}/approve`)).expect(404)
  ;(await of(people[14]!).post(`/approvals/${request.id}/approve`)).expect(200)
  ;(await of(boss).post(`/approvals/${request.id}/approve`)).expect(200)
  await closeMonth('December')

  const messageIds = mailhost.delivered.map(({ messageId }) => messageId)
  expect(new Set(messageIds).size).toBe(messageIds.length)
  expect(await world.look.count(`select count(*) from mails where status = 'dead'`)).toBe(0)
})
