import { beforeAll, expect, test } from 'vitest'
import { demoProvider } from '../../src/plugins/payments/demo-provider.ts'
import { expectNone } from '../support/expect-none.ts'
import { checkDatabase, expectNoViolation, untilDelivered } from '../support/invariants.ts'
import { until } from '../support/patience.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { type Furniture, seedTenant } from '../support/samples.ts'
import { addFactor } from '../support/second-factor.ts'
import { passDays } from '../support/shifted.ts'
import { type Mailhost, openMailhost } from '../support/smtp.ts'
import { uploadOf } from '../support/uploads.ts'
import { openWorld, type Person, type World } from '../support/world.ts'
import { type Company, DOORS, type Employee, foundCompany, MARK, PASSWORD, type Role } from './company.ts'
import { expectNobodyIsWaitedForInVain, placesWith } from './what-is-left.ts'

/**
 * A year of a company, in which at least a month passes with each test. People come through every door, work and lead.
 * At the end all of them leave, each in one of four ways: nothing waits for somebody who cannot
 * act, and nothing but the audit names them.
 */
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const WAYS = ['disabled', 'demoted', 'deleted', 'restored'] as const
type Way = (typeof WAYS)[number]
type Group = Record<Role, Employee>

let mailhost: Mailhost
let receiver: Receiver
let provider: ReturnType<typeof demoProvider>
let world: World
let company: Company
let ours: Furniture
let boss: Person
/** Each leaves in its own way. */
const groups = {} as Record<Way, Group>
let people: Employee[] = []
const gone = new Set<Employee>()
/** `seedTenant` makes a delivery by hand, of an event before its webhook. */
const unsupposed = ['I22']
const projects: { id: number; group: Group }[] = []
const departments: Record<string, number> = {}
const calendars = new Map<Employee, string>()

beforeAll(async () => {
  ;[mailhost, receiver] = await Promise.all([openMailhost(), openReceiver()])
  world = await openWorld({
    env: {
      ...{ MAIL_URL: mailhost.url, MAIL_FROM: 'Atrium <no-reply@atrium.example>', PAYMENTS_DEMO_SECRET: SECRET },
      // Everybody comes from one address here, and all events are counted.
      ...{ EVENTS_DAYS: '0', RESET_LIMIT: '0', SIGN_IN_LIMIT: '1000', REGISTRATION_LIMIT: '0' },
    },
  })
  const callbackUrl = `${await world.app.listen({ port: 0 })}/api/v1/payments/callback/demo`
  provider = demoProvider({ secret: SECRET, callbackUrl })
})

const as = (person: Person) => world.as(person)
const idOf = async (made: ReturnType<typeof world.anyone.post>) => (await made).expect(201).id as number
let counter = 0
const key = () => ({ 'idempotency-key': `year-${++counter}` })
/** A day in the time zone of the company. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10)

async function submitted(applicant: Person, departmentId: number) {
  const draft = { type: 'leave', title: `Request ${++counter}`, departmentId }
  const id = await idOf(as(applicant).post('/approvals', draft))
  ;(await as(applicant).post(`/approvals/${id}/submit`, {}, key())).expect(200)
  return id
}
const decide = (by: Person, id: number, how = 'approve') => as(by).post(`/approvals/${id}/${how}`, {}, key())
/** What has to be true at the end of each month, which then passes. */
async function closeMonth(name: string, days = 30): Promise<void> {
  await untilDelivered(world.look)
  await until(async () => expectNoViolation(name, await checkDatabase(world.look, unsupposed)))
  await expectNobodyIsWaitedForInVain(world, company, name)

  for (const person of people) (await as(person).get('/auth/me')).expect(gone.has(person) ? 401 : 200)
  for (const [at, { id }] of projects.entries()) {
    const outsider = projects[(at + 1) % projects.length]!.group.applicant
    if (gone.has(outsider)) continue
    ;(await as(outsider).get(`/projects/${id}`)).expect(404, 'NOT_FOUND')
    ;(await as(outsider).get(`/projects/${id}/tasks`)).expect(404, 'NOT_FOUND')
    const seen = await as(outsider).read('/tasks?limit=200')
    expect(seen.filter(({ projectId }: any) => projectId === id)).toEqual([])
  }
  await passDays(world.look, days)
}

test('January: the company is founded', async () => {
  company = await foundCompany(world, mailhost)
  boss = company.administrator
  const settings = { timeZone: 'Asia/Shanghai', locale: 'en', passwordMinLength: 10 }
  ;(await as(boss).put('/tenant/settings', settings)).expect(200)
  ours = await seedTenant(world, company, 'canary')
  const types = ['task.created', 'user.created']
  await idOf(as(boss).post('/webhooks', { url: `${receiver.url}/hook`, types }))
  await closeMonth('January')
})

test('February: people come by invitation, by themselves, from the provider and from the directory', async () => {
  for (const [at, way] of WAYS.entries()) {
    const group = {} as Group
    for (const role of Object.keys(DOORS) as Role[]) group[role] = await company.come(role, at)
    groups[way] = group
  }
  people = Object.values(groups).flatMap((group) => Object.values(group))
  expect(new Set(people.map(({ id }) => id)).size).toBe(WAYS.length * Object.keys(DOORS).length)
  const { leader } = groups.deleted
  expect(await as(leader).read('/users/me')).toMatchObject({ emailVerified: true })
  await closeMonth('February')
})

test('March: departments, projects, articles, orders, and everything that is written in them', async () => {
  for (const [way, group] of Object.entries(groups)) {
    const { leader, substitute, chief, deputy, clerk, applicant } = group
    for (const person of [leader, substitute, chief]) {
      const draft = { name: `Of ${person.role}`, code: `D-${++counter}`, leaderId: person.id }
      departments[`${way} ${person.role}`] = await idOf(as(boss).post('/departments', draft))
    }
    const { id } = await world.givenProject(chief)
    projects.push({ id, group })
    for (const member of [leader, applicant]) await world.givenMember(chief, { id }, member)
    const task = await world.givenTask(chief, { id }, { assigneeId: applicant.id, dueDate: dayIn(31) })
    for (const person of [chief, applicant])
      await idOf(as(person).post(`/tasks/${task.id}/comments`, { content: 'said' }))
    const moved = await world.givenTask(chief, { id }, { assigneeId: leader.id })
    ;(await as(chief).put(`/tasks/${moved.id}`, { version: 0, assigneeId: applicant.id })).expect(200)

    const article = await idOf(as(deputy).post('/content/articles', { title: 'Written', status: 'published' }))
    const shown = await as(boss).read(`/content/articles/${article}`)
    expect(shown.author).toContain(MARK)
    ;(await as(boss).put(`/content/articles/${article}`, shown)).expect(200)
    await idOf(as(applicant).post(`/blog/${article}/comments`, { content: 'said' }))
    await idOf(as(applicant).post(`/blog/${ours.ids.blog}/comments`, { content: 'said' }))

    const account = await idOf(as(deputy).post('/service-accounts', { name: `Payroll ${way}`, roleIds: [] }))
    await idOf(as(deputy).post(`/service-accounts/${account}/keys`, { name: 'A key' }))
    await idOf(as(deputy).post('/webhooks', { url: `${receiver.url}/${way}`, types: ['task.created'] }))
    await idOf(as(deputy).post('/roles', { code: `made-${way}`, name: `Made ${way}` }))
    await idOf(as(deputy).post('/content/categories', { name: `Made ${way}`, slug: `made-${way}` }))
    const { orderNo } = await as(clerk).create('/payments/checkout', { planId: 2, channel: 'card' })
    await provider.report(orderNo, ['paid'])

    const file = await uploadOf(world).file(applicant)
    const request = await submitted(applicant, departments[`${way} leader`]!)
    const resource = { resourceType: 'approval', resourceId: request }
    ;(await as(applicant).put(`${file.url}/resource`, resource)).expect(200)
    ;(await decide(leader, request)).expect(200)
    ;(await decide(boss, request)).expect(200)
    ;(await decide(applicant, await submitted(applicant, departments[`${way} chief`]!), 'cancel')).expect(200)
    const { url } = await as(applicant).create('/users/me/calendar-key')
    calendars.set(applicant, url)
  }
  await idOf(company.system.client.post('/content/articles', { title: 'By a system', status: 'published' }))
  expect((await calendarOf(groups.deleted.applicant)).body).toContain('BEGIN:VEVENT')
  await receiver.arrivedAt('/hook', 2 * WAYS.length)
  await closeMonth('March')
})

const calendarOf = (person: Employee) => {
  const { pathname } = new URL(calendars.get(person)!, 'http://localhost')
  return world.app.inject(pathname)
}

test('June: a second factor becomes a duty', async () => {
  ;(await as(boss).put('/tenant/settings', { secondFactor: 'required' })).expect(409, 'SECOND_FACTOR_MISSING')
  await addFactor(as(boss), PASSWORD)
  ;(await as(boss).put('/tenant/settings', { secondFactor: 'required' })).expect(200)
  await until(async () => (await as(people[1]!).get('/projects')).expect(403, 'SECOND_FACTOR_MISSING'))
  for (const person of people) {
    person.phone = await addFactor(as(person), person.password)
    await as(person).read('/projects')
  }
  const { leader } = groups.deleted
  const body = { username: leader.username, password: leader.password, tenantCode: company.code }
  ;(await world.anyone.post('/auth/login', body)).expect(401, 'SECOND_FACTOR_REQUIRED')
  await company.signIn(leader, { code: leader.phone!.recoveryCodes[0] })
  await closeMonth('June')
})

test('October: everybody has a request with every leader, a draft and a substitute', async () => {
  const expiring = await idOf(as(boss).post('/invitations', { email: 'late@example.org' }))
  await untilDelivered(world.look)
  await passDays(world.look, 28)
  const expired = await as(boss).read('/invitations?status=expired')
  expect(expired.map(({ id }: any) => id)).toContain(expiring)
  for (const [way, { leader, substitute, chief, deputy, clerk }] of Object.entries(groups)) {
    for (const [person, by] of [
      [leader, substitute],
      [substitute, clerk],
      [chief, deputy],
    ] as const)
      (await as(person).put('/users/me/substitute', { userId: by.id, from: dayIn(0), until: '2999-12-31' })).expect(200)
    for (const person of Object.values(groups[way as Way])) {
      for (const role of ['leader', 'substitute', 'chief']) await submitted(person, departments[`${way} ${role}`]!)
      await idOf(as(person).post('/approvals', { type: 'leave', title: 'A draft' }))
    }
  }
  await closeMonth('October', 2)
})

/** How somebody leaves. What a deletion would leave behind is handed over before. */
const leave: Record<Way, (person: Employee) => Promise<unknown>> = {
  async disabled({ id }) {
    ;(await as(boss).put(`/users/${id}`, { status: 'disabled' })).expect(200)
  },
  async demoted({ id }) {
    ;(await as(boss).put(`/users/${id}`, { roleIds: [await company.giveRole(['project:list'])] })).expect(200)
  },
  async deleted({ id }) {
    const answer = await as(boss).delete(`/users/${id}`)
    if (answer.status === 200) return
    answer.expect(409, 'USER_IN_USE')
    const heir = await world.givenUser(company)
    ;(await as(boss).post(`/users/${id}/hand-over`, { toUserId: heir.id })).expect(200)
    ;(await as(boss).delete(`/users/${id}`)).expect(200)
  },
  async restored(person) {
    await leave.deleted(person)
    const { id, username, email } = person
    await as(boss).create(`/users/${id}/restore`, { username, email, password: PASSWORD })
    person.password = PASSWORD
    await company.signIn(person)
    // A second factor is a duty here, and the old one went with the person, as their work and their calendar did.
    ;(await as(person).get('/projects')).expect(403, 'SECOND_FACTOR_MISSING')
    await addFactor(as(person), PASSWORD)
    expect(await as(person).read('/projects')).toEqual([])
    if (calendars.has(person)) expect((await calendarOf(person)).statusCode).toBe(404)
  },
}

test.each(WAYS)('November: nothing waits for nobody when the people of a company are %s', async (way) => {
  // Tasks with comments go to others.
  unsupposed.push('I5')
  const { clerk, deputy } = groups[way]
  const guest = { roleIds: [await company.giveRole(['project:list', 'user:invite'])] }
  for (const by of [clerk, deputy])
    await idOf(as(by).post('/invitations', { email: `guest-${++counter}@example.org`, ...guest }))
  for (const role of ['clerk', 'substitute', 'deputy', 'chief', 'leader', 'applicant'] as const) {
    const person = groups[way][role]
    await leave[way](person)
    if (way === 'disabled' || way === 'deleted') gone.add(person)
    await expectNobodyIsWaitedForInVain(world, company, `${role} was ${way}`)
  }
  await closeMonth(`November, ${way}`, 7)
})

test('December: everybody is deleted in turn, and nothing but the audit names them', async () => {
  ;(await as(boss).put('/tenant/settings', { secondFactor: 'optional' })).expect(200)
  // What is kept for a time is still there of those who come last.
  for (const role of Object.keys(DOORS) as Role[]) people.push(await company.come(role, WAYS.length))
  await until(async () => {
    const before = (await placesWith(MARK, world, ours, [boss])).map((place) => place.split(' ')[0])
    for (const place of ['/notifications', '/content/articles/:id', '/content/comments', '/approvals/:id', 'users'])
      expect(before).toContain(place)
  })

  const heir = await world.givenUser(company, 'tenant-admin')
  const deleted = (await world.look.rows('select id::float8 from users where deleted_at is not null')).map(
    ({ id }) => id,
  )
  for (const person of people.filter(({ id }) => !deleted.includes(id))) {
    await leave.deleted(person)
    gone.add(person)
    await expectNobodyIsWaitedForInVain(world, company, person.username)
  }
  ;(await as(boss).delete(`/service-accounts/${company.system.id}`)).expect(200)
  await closeMonth('December')

  await until(async () => expectNone(await placesWith(MARK, world, ours, [boss, heir, ours.member, world.admin])))
  expect(await world.look.count(`select count(*) from audit_operations a where a::text like '%${MARK}%'`)).not.toBe(0)
  // One is of `seedTenant`.
  expect(await world.look.count(`select count(*) from mails where status = 'dead'`)).toBe(1)
})
