import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { openWorldWithFiles } from '../support/uploads.ts'
import type { Person, Tenant } from '../support/world.ts'

/** What people see who registered themselves, and who hears of them. */
const { world, upload } = await openWorldWithFiles()
let tenant: Tenant
let boss: Person
let author: Person
let reader: Person
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = tenant.administrator
  author = await world.givenUser(tenant)
  reader = await world.givenUser(tenant)
})

const setDoor = (registration: 'open' | 'closed') => world.setRegistration(tenant, registration)
const keys = (person: Person) => world.as(person).list('/files', 'key')
const trust = (by: Person, person: Person, selfRegistered = false) =>
  world.as(by).put(`/users/${person.id}`, { selfRegistered })
const titles = (person: Person, language: string) =>
  world.as(person).read('/notifications', { 'accept-language': language })

async function givenStranger(): Promise<Person> {
  await setDoor('open')
  const username = `stranger-${randomUUID()}`
  const account = { username, password: 'a long enough one', tenantCode: tenant.code }
  const { id } = await world.anyone.create('/auth/register', { ...account, email: 's@example.com' })
  const { accessToken } = (await world.anyone.post('/auth/login', account)).expect(200)
  return { id, tenantId: tenant.id, username, token: accessToken }
}

test('anyone who registered sees their own files alone, before the door is closed and after it', async () => {
  const manager = await world.givenUser(tenant, ['file:manage'])
  const stranger = await givenStranger()
  const salaries = await upload.file(author, { filename: 'salaries.txt', content: Buffer.from('all of them') })
  for (const registration of ['open', 'closed', 'open'] as const) {
    await setDoor(registration)
    expect(await keys(stranger)).toEqual([])
    for (const [name, value] of Object.entries({ 'if-none-match': `"${salaries.sha256}"`, range: 'bytes=0-3' }))
      expect((await upload.download(stranger, salaries.url, { [name]: value })).statusCode).toBe(404)
    expect((await upload.download(stranger, salaries.url)).statusCode).toBe(404)
    ;(await world.as(stranger).delete(salaries.url)).expect(404, 'NOT_FOUND')
    for (const person of [reader, boss, manager, author, world.admin])
      expect((await upload.download(person, salaries.url)).statusCode).toBe(200)
  }
  const mine = await upload.file(stranger)
  expect(await keys(stranger)).toEqual([mine.key])
  const page = await world.as(stranger).get('/files?page=1&pageSize=1')
  expect([page.data.length, page.headers['x-total-count'], page.headers.link]).toEqual([1, '1', undefined])
  for (const person of [reader, boss, manager]) expect(await keys(person)).toEqual([mine.key, salaries.key])
})

test('anyone who registered sees the files of the tenant after an administrator has cleared the mark, which nobody sets', async () => {
  const stranger = await givenStranger()
  const file = await upload.file(author)
  expect((await world.as(boss).read(`/users/${stranger.id}`)).selfRegistered).toBe(true)
  expect((await world.as(stranger).read('/users/me')).selfRegistered).toBe(true)
  // An edit form sends what it has read.
  expect((await trust(boss, stranger, true)).expect(200).selfRegistered).toBe(true)
  ;(await trust(stranger, stranger)).expect(403, 'PERMISSION_DENIED')
  expect(await keys(stranger)).toEqual([])

  expect((await trust(boss, stranger)).expect(200).selfRegistered).toBe(false)
  await expect.poll(() => keys(stranger)).toEqual([file.key])
  const { details } = (await trust(boss, stranger, true)).expect(400, 'VALIDATION_FAILED')
  expect(details).toEqual([{ path: 'body.selfRegistered', message: 'can only be cleared' }])
  ;(await trust(boss, reader, true)).expect(400, 'VALIDATION_FAILED')
})

test('anyone who registered and may update people does not clear their own mark, nor that of another stranger', async () => {
  const [stranger, other] = [await givenStranger(), await givenStranger()]
  const clerks = await world.givenRole(tenant, ['user:update'])
  await world.look.rows(
    `insert into user_roles (tenant_id, user_id, role_id) select tenant_id, $2, id from roles where tenant_id = $1 and code = $3`,
    [tenant.id, stranger.id, clerks],
  )
  const refused = { type: 'PERMISSION_DENIED', details: [{ path: 'body.selfRegistered', permission: 'file:manage' }] }
  for (const person of [stranger, other])
    await expect.poll(async () => (await trust(stranger, person)).error).toMatchObject(refused)
  expect((await trust(await world.givenUser(tenant, clerks), other)).expect(200).selfRegistered).toBe(false)
})

test('a registration is announced to each administrator of the tenant, in their language, and to nobody else', async () => {
  const stranger = await givenStranger()
  await expect.poll(() => titles(boss, 'en')).toHaveLength(1)
  const about = { type: 'USER_REGISTERED', resourceType: 'user', resourceId: stranger.id }
  expect(await titles(boss, 'en')).toMatchObject([{ ...about, title: `${stranger.username} registered` }])
  expect(await titles(boss, 'zh-CN')).toMatchObject([{ title: `${stranger.username} 已注册` }])
  for (const person of [reader, stranger]) expect(await titles(person, 'en')).toEqual([])
})
