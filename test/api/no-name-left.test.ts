import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAs, readArchive } from '../support/archive.ts'
import { clientOf } from '../support/client.ts'
import { expectNone } from '../support/expect-none.ts'
import { formOf } from '../support/form.ts'
import { listWalked } from '../support/routes.ts'
import { addressOf, type Furniture, kindsIn, missingOf, SHARED_KINDS, seedTenant } from '../support/samples.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

/**
 * Everybody who has left something behind is deleted in turn. Afterwards no row, no answer and no export names them, but
 * for the audit.
 */
const MARK = 'mark7e'
const PASSWORD = 'a long enough one'
const AUDIT = /(^|\/)audit_/
/** Some of the reads that name people, so that their traces are there before they leave. */
const NAMING = ['/notifications', '/content/articles/:id', '/public/blog/:id', '/content/comments', '/approvals/:id']
const days = { from: new Date().toISOString().slice(0, 10), until: '2999-12-31' }
let world: World
let ours: Furniture
let boss: Person
let heir: Person
let keys = 0
const routes = (await listWalked()).filter(
  ({ method, path }) => method === 'GET' && path !== '/tenant/export' && path !== '/audit/operations',
)

beforeAll(async () => {
  world = await openWorld()
  ours = await seedTenant(world, await world.givenTenant(), 'canary-of-ours')
  boss = ours.tenant.administrator
  heir = await world.givenUser(ours.tenant, 'tenant-admin')
  await world.setRegistration(ours.tenant, 'open')
})
afterAll(() => world.close())

const as = (person: Person) => world.as(person)
const idOf = async (made: ReturnType<typeof world.anyone.post>) => (await made).expect(201).id as number
const key = () => ({ 'idempotency-key': `left-${++keys}` })
const contact = (role: string) => ({
  nickname: `${MARK} nick ${role}`,
  email: `${MARK}-${role}@example.org`,
  realName: `${MARK} real ${role}`,
  phone: `+49 ${MARK}`,
})

/** A person whose every field has the mark and what they do. */
async function givenPerson(role: string, code = 'tenant-admin'): Promise<Person> {
  const person = await world.givenUser(ours.tenant, code)
  ;(await as(boss).put(`/users/${person.id}`, contact(role))).expect(200)
  await world.look.rows('update users set username = $3 where tenant_id = $1 and id = $2', [
    ours.tenant.id,
    person.id,
    `${MARK}-${role}`,
  ])
  return person
}

async function submitted(applicant: Person, departmentId: number) {
  const id = await idOf(as(applicant).post('/approvals', { type: 'leave', title: 'A week off', departmentId }))
  ;(await as(applicant).post(`/approvals/${id}/submit`, {}, key())).expect(200)
  return id
}

/** What each does. A role of the tenant is a person of that name; the others come into it by a door of their own. */
const traces: Record<string, (person: Person) => Promise<void>> = {
  async leader(person) {
    const draft = { name: 'Led', code: 'LED', leaderId: person.id }
    const departmentId = await idOf(as(boss).post('/departments', draft))
    ;(await as(boss).put(`/departments/${departmentId}/members/${person.id}`)).expect(200)
    ;(await as(person).put('/users/me/substitute', { userId: heir.id, ...days })).expect(200)
    ;(await as(person).post(`/approvals/${await submitted(heir, departmentId)}/approve`, {}, key())).expect(200)
    await submitted(heir, departmentId)
  },
  async substitute(person) {
    ;(await as(boss).put('/users/me/substitute', { userId: person.id, ...days })).expect(200)
    ;(await as(person).put('/users/me/substitute', { userId: heir.id, ...days })).expect(200)
    ;(await as(person).delete('/users/me/substitute')).expect(200)
  },
  async applicant(person) {
    const id = await submitted(person, Number(ours.ids.departments))
    ;(await as(person).post(`/approvals/${id}/cancel`, {}, key())).expect(200)
    await idOf(as(person).post('/approvals', { type: 'leave', title: 'Never sent' }))
  },
  async writer(person) {
    const id = await idOf(as(person).post('/content/articles', { title: 'Written', status: 'published' }))
    await idOf(as(person).post('/content/articles', { title: 'Draft', author: contact('writer').nickname }))
    const shown = (await as(boss).get(`/content/articles/${id}`)).expect(200)
    expect(shown.author).toBe(contact('writer').nickname)
    ;(await as(boss).put(`/content/articles/${id}`, shown)).expect(200)
  },
  async commenter(person) {
    await idOf(as(person).post(`/blog/${ours.ids.blog}/comments`, { content: 'said' }))
    await idOf(as(person).post(`/tasks/${ours.ids.tasks}/comments`, { content: 'said' }))
  },
  async owner(person) {
    const project = await world.givenProject(person)
    await world.givenMember(person, project, heir)
    const task = await world.givenTask(person, project, { assigneeId: person.id })
    ;(await as(person).put(`/tasks/${task.id}`, { version: 0, assigneeId: heir.id })).expect(200)
    ;(await as(heir).put(`/tasks/${task.id}`, { version: 1, assigneeId: person.id })).expect(200)
  },
  async inviter(person) {
    await idOf(as(person).post('/invitations', { email: 'somebody@example.org' }))
    await idOf(as(person).post('/payments/checkout', { planId: 2, channel: 'card' }))
  },
  async uploader(person) {
    const upload = formOf([{ filename: 'a.txt', content: 'x' }])
    ;(await as(person).send({ method: 'POST', url: '/api/v1/files', ...upload })).expect(201)
  },
  async maker(person) {
    const id = await idOf(as(person).post('/service-accounts', { name: 'Payroll', roleIds: [] }))
    await idOf(as(person).post(`/service-accounts/${id}/keys`, { name: 'A key' }))
    await idOf(as(person).post('/webhooks', { url: 'https://example.org/hook', types: ['task.created'] }))
    await idOf(as(person).post('/roles', { code: 'made', name: 'Made' }))
    await idOf(as(person).post('/content/categories', { name: 'Made', slug: 'made' }))
  },
}

/** People who come by themselves: one who registers, and one who accepts an invitation. @returns their ids */
async function givenArrivals(): Promise<number[]> {
  const account = { username: `${MARK}-stranger`, password: PASSWORD, tenantCode: ours.tenant.code }
  const stranger = await idOf(world.anyone.post('/auth/register', { ...account, email: contact('stranger').email }))
  const made = (await as(boss).post('/invitations', { email: contact('guest').email })).expect(201)
  const token = made.acceptUrl.split('#token=')[1]
  const form = { token, username: `${MARK}-guest`, password: PASSWORD, nickname: contact('guest').nickname }
  ;(await world.anyone.post('/auth/invitations/accept', form)).expect(201)
  const { items } = (await as(boss).get(`/users?keyword=${MARK}-guest`)).expect(200)
  return [stranger, items[0].id]
}

test('nobody who was deleted is named by any row, answer or export, but for the audit', async () => {
  for (const [role, leave] of Object.entries(traces)) await leave(await givenPerson(role))
  await givenArrivals()
  const roleIds = [(await as(boss).get('/roles?keyword=tenant-admin')).expect(200).items[0].id]
  const account = await idOf(as(boss).post('/service-accounts', { name: `${MARK} system`, roleIds }))
  const { key: secret } = (await as(boss).post(`/service-accounts/${account}/keys`, { name: 'A key' })).expect(201)
  const system = clientOf(world.app, { authorization: `Bearer ${secret}` })
  await idOf(system.post('/content/articles', { title: 'By a system', status: 'published' }))

  const { items } = (await as(boss).get(`/users?keyword=${MARK}&pageSize=100`)).expect(200)
  expect(items).toHaveLength(Object.keys(traces).length + 2)
  const before = new Set((await everyAnswer()).map((place) => place.split(' ')[0]))
  expect([...before]).toEqual(expect.arrayContaining(NAMING))

  for (const { id } of items) {
    ;(await as(boss).post(`/users/${id}/hand-over`, { toUserId: heir.id })).expect(200)
    ;(await as(boss).delete(`/users/${id}`)).expect(200)
  }
  ;(await as(boss).delete(`/service-accounts/${account}`)).expect(200)

  const { entries } = await readArchive((await exportAs(world.app, boss)).stream)
  const exported = [...entries].filter(([name]) => !AUDIT.test(name))
  expectNone([
    ...(await everyAnswer()),
    ...(await everyRow()),
    ...exported.flatMap(([name, body]) => placesIn(body.toString()).map((place) => `${name} has ${place}`)),
  ])
  const named = await world.look.count(`select count(*) from audit_operations a where a::text like '%${MARK}%'`)
  expect(named).toBeGreaterThan(0)
})

/** Where a text has the mark. */
function placesIn(text: string): string[] {
  return [...text.matchAll(new RegExp(`.{0,60}${MARK}.{0,30}`, 'gi'))].map(([place]) => place)
}

/** What the answers to every read have of the mark, to each kind of reader; of each thing that a list names, too. */
async function everyAnswer(): Promise<string[]> {
  const visitor = clientOf(world.app, { 'x-tenant-code': ours.tenant.code })
  const found: string[] = []
  for (const reader of [as(boss), as(heir), as(ours.member), visitor, as(world.admin)]) {
    const listed = new Map<string, Set<number>>()
    for (const route of routes.toSorted((a, b) => kindsIn(a).length - kindsIn(b).length)) {
      if (reader !== visitor && route.access === 'anyone') continue
      for (const ids of idsFor(route.path, listed)) {
        const isPaged = 'pageSize' in (route.schema.querystring?.shape ?? {})
        const { body, data } = await reader.get(addressOf(route, ids, isPaged ? 'pageSize=100' : '', ours.ids))
        for (const place of placesIn(JSON.stringify(body) ?? '')) found.push(`${route.path} answers ${place}`)
        const rows = Array.isArray(data) ? data : (data?.items ?? [])
        if (ids.length === 0) listed.set(route.path, new Set(rows.flatMap((row: any) => row?.id ?? [])))
      }
    }
  }
  return found
}

/** The ids with which a route is called: those that its list names, and those of what the tenant was filled with. */
function idsFor(path: string, listed: ReadonlyMap<string, ReadonlySet<number>>): (number | string)[][] {
  const kinds = kindsIn({ path })
  const seeded = kinds.map((kind) => (SHARED_KINDS.includes(kind) ? missingOf(kind) : ours.ids[kind as 'users']))
  const [list] = path.split('/:')
  return kinds.length === 1 ? [seeded, ...[...(listed.get(list!) ?? [])].map((id) => [id])] : [seeded]
}

/** Each row of any table that has the mark. */
async function everyRow(): Promise<string[]> {
  const tables = await world.look.rows<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const found: string[] = []
  for (const { name } of tables.filter((table) => !AUDIT.test(table.name)))
    for (const { row } of await world.look.rows<{ row: string }>(
      `select t::text as row from "${name}" t where t::text ilike '%${MARK}%'`,
    ))
      found.push(`${name} has ${placesIn(row)}`)
  return found
}
