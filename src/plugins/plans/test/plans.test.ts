import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '#test/client.ts'
import { formOf } from '#test/form.ts'
import { moveClock } from '#test/move-clock.ts'
import { isHere } from '#test/plugins.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'

const PLANS = {
  tiny: { people: 3, projects: 2, fileBytes: 30 },
  busy: { requestsPerMinute: 4 },
}
const PASSWORD = 'a long and winding road'

let tenant: Tenant
let counter = 0
const world = await openWorld({ env: { PLANS: JSON.stringify(PLANS) } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  await givenPlan('tiny')
})

const givenPlan = async (plan: string) => {
  ;(await world.as(world.admin).put(`/tenants/${tenant.id}`, { plan })).expect(200)
}
const boss = () => world.as(tenant.administrator)
const usage = async () => (await boss().get('/tenant/usage')).expect(200)
const unique = (word: string) => `${word}-${++counter}`
const addUser = (more: object = {}) => boss().post('/users', { username: unique('user'), password: PASSWORD, ...more })
const register = () => {
  const form = { username: unique('stranger'), email: `${unique('stranger')}@example.com`, password: PASSWORD }
  return world.anyone.post('/auth/register', { ...form, tenantCode: tenant.code })
}
const addProject = () =>
  boss().post('/projects', { name: 'Project', code: unique('P') }, { 'idempotency-key': unique('key') })
const upload = (content: string) =>
  boss().send({ method: 'POST', url: '/api/v1/files', ...formOf([{ filename: 'note.txt', content }]) })
function expectFull(answer: Answer, quota: string, used: number, limit: number) {
  expect(answer.expect(409, 'QUOTA_EXCEEDED').details).toMatchObject([{ quota, used, limit }])
}

describe('the usage of a tenant', () => {
  test('is shown next to the limits of its plan, to those who see the settings', async () => {
    ;(await addUser()).expect(201)
    ;(await addUser({ status: 'disabled' })).expect(201)
    // No system counts as a person.
    if (isHere('keys')) (await boss().post('/service-accounts', { name: 'Robot', roleIds: [] })).expect(201)
    const project = (await addProject()).expect(201)
    ;(await boss().put(`/projects/${project.id}/archive?version=0`)).expect(200)
    ;(await upload('twelve bytes')).expect(201)

    const none = { used: 0, limit: null }
    expect(await usage()).toEqual({
      ...{ plan: 'tiny', people: { used: 2, limit: 3 }, projects: { used: 0, limit: 2 } },
      ...{ fileBytes: { used: 12, limit: 30 }, webhooks: none, requestsPerMinute: none },
    })
  })
})

describe('people beyond the plan are refused', () => {
  const full = (answer: Answer, used = 3) => expectFull(answer, 'people', used, 3)
  async function fill() {
    for (let n = 0; n < 2; n++) (await addUser()).expect(201)
  }

  test('when they are added, and a place that becomes free is used', async () => {
    const { id } = (await addUser()).expect(201)
    ;(await addUser()).expect(201)
    full(await addUser())
    ;(await addUser({ status: 'disabled' })).expect(201)
    ;(await boss().put(`/users/${id}`, { status: 'disabled' })).expect(200)
    ;(await addUser()).expect(201)
    full(await addUser())
    expect((await usage()).people).toEqual({ used: 3, limit: 3 })
  })

  test('when they are enabled or restored; what changes nothing of it goes on', async () => {
    const disabled = (await addUser({ status: 'disabled' })).expect(201)
    const gone = (await addUser()).expect(201)
    ;(await boss().delete(`/users/${gone.id}`)).expect(200)
    await fill()
    full(await boss().put(`/users/${disabled.id}`, { status: 'active', nickname: 'Back' }))
    full(await boss().post(`/users/${gone.id}/restore`, { username: unique('back'), password: PASSWORD }))
    ;(await boss().put(`/users/${disabled.id}`, { nickname: 'Still away' })).expect(200)
    const shown = (await boss().get(`/users/${disabled.id}`)).expect(200)
    expect(shown).toMatchObject({ status: 'disabled', nickname: 'Still away' })
    ;(await boss().get(`/users/${gone.id}`)).expect(404)
  })

  test('when they register', async () => {
    await world.setRegistration(tenant, 'open')
    ;(await register()).expect(201)
    ;(await register()).expect(201)
    full(await register())
    expect((await usage()).people.used).toBe(3)
  })

  test.skipIf(!isHere('invitations'))('when they accept an invitation, which stays open for later', async () => {
    const { acceptUrl } = (await boss().post('/invitations', { email: 'guest@example.com' })).expect(201)
    const token = acceptUrl.split('#token=')[1]
    const accept = () =>
      world.anyone.post('/auth/invitations/accept', { token, username: unique('guest'), password: PASSWORD })
    await fill()
    full(await accept())
    await givenPlan('test')
    ;(await accept()).expect(201)
  })

  test.skipIf(!isHere('scim', 'keys'))('when a directory provisions or activates them', async () => {
    const draft = { name: 'Directory', roleIds: [await world.roleId(tenant, 'tenant-admin')] }
    const account = (await boss().post('/service-accounts', draft)).expect(201)
    const { key } = (await boss().post(`/service-accounts/${account.id}/keys`, { name: 'SCIM' })).expect(201)
    const scim = (method: 'POST' | 'PATCH', path: string, payload: object) =>
      world.app.inject({
        method,
        url: `/scim/v2/Users${path}`,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
        payload: JSON.stringify(payload),
      })
    const create = (more: object = {}) => scim('POST', '', { userName: unique('synced'), ...more })
    const inactive = (await create({ active: false })).json().id
    await fill()

    expect((await create()).statusCode).toBe(409)
    const Operations = [{ op: 'replace', path: 'active', value: true }]
    expect((await scim('PATCH', `/${inactive}`, { Operations })).statusCode).toBe(409)
    expect((await usage()).people.used).toBe(3)
  })
})

test('projects beyond the plan are refused, made or reopened', async () => {
  const { id } = (await addProject()).expect(201)
  ;(await boss().put(`/projects/${id}/archive?version=0`)).expect(200)
  ;(await addProject()).expect(201)
  ;(await addProject()).expect(201)
  expectFull(await addProject(), 'projects', 2, 2)
  expectFull(await boss().put(`/projects/${id}/unarchive?version=1`), 'projects', 2, 2)
  expect((await boss().get(`/projects/${id}`)).expect(200)).toMatchObject({ status: 'ARCHIVED', version: 1 })
})

test('a file that does not fit is refused, and a smaller one is stored', async () => {
  ;(await upload('x'.repeat(20))).expect(201)
  expectFull(await upload('x'.repeat(11)), 'fileBytes', 20, 30)
  ;(await upload('x'.repeat(10))).expect(201)
  expectFull(await upload('x'), 'fileBytes', 30, 30)
  expect((await boss().get('/files')).expect(200)).toHaveLength(2)
})

describe('requests of a tenant', () => {
  let ahead = 0
  const monotonic = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + ahead)
  const ask = (person: Person) => world.as(person).get('/notifications/unread-count')

  test('are limited together, whoever sends them, until the minute is over', async () => {
    await givenPlan('busy')
    const colleague = await world.givenUser(tenant)
    const elsewhere = await world.givenTenant()
    for (let n = 0; n < 2; n++) for (const one of [tenant.administrator, colleague]) (await ask(one)).expect(200)

    const refused = await ask(colleague)
    refused.expect(429, 'RATE_LIMITED')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['ratelimit-policy']).toContain('"tenant";q=4;w=60')
    ;(await ask(elsewhere.administrator)).expect(200)
    ;(await world.anyone.get('/public/home', { 'x-tenant-code': tenant.code })).expect(200)
    ;(await world.as(world.admin).get('/users', { 'x-tenant-code': tenant.code })).expect(200)

    await moveClock([world], () => {
      ahead += 60_000
    })
    expect((await usage()).requestsPerMinute).toEqual({ used: 1, limit: 4 })
  })
})
