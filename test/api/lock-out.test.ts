import pino from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'
import { prepareDatabase } from '../../src/start.ts'
import { atriumHere } from '../support/cli-here.ts'
import { TEST_SECRET, testConfig } from '../support/config.ts'
import { openInstance } from '../support/instance.ts'
import { slowClock } from '../support/move-clock.ts'
import { until } from '../support/patience.ts'
import { quickHash } from '../support/quick-hash.ts'
import { openWorld, type Person } from '../support/world.ts'

slowClock()
const world = await openWorld({ env: { SIGN_IN_LIMIT: '3' } })

const passwordHash = quickHash('correct horse')

const HERE = '10.0.0.1'
const signIn = (username: string, password: string, tenantCode = 'default', remoteAddress = HERE) =>
  world.anyone.send({
    method: 'POST',
    url: '/api/v1/auth/login',
    remoteAddress,
    payload: { username, password, tenantCode },
  })
async function givenNamed(boss: Person, code: string) {
  const person = await world.givenUser({ id: boss.tenantId })
  await world.look.rows('update users set password_hash = $1 where id = $2', [await passwordHash, person.id])
  const { accessToken: token } = (await signIn(person.username, 'correct horse', code)).expect(200)
  return { ...person, token }
}

describe('a second administrator of the first tenant', () => {
  let second: Person
  beforeAll(async () => {
    second = await world.givenUser({ id: 1 }, 'admin')
  })

  test('administers that tenant, and nothing else', async () => {
    const tenant = await world.givenTenant()
    const they = world.as(second)
    const there = { 'x-tenant-code': tenant.code }
    for (const answer of [
      await they.get('/tenants'),
      await they.put(`/tenants/${tenant.id}`, { plan: 'gold' }),
      await they.post('/menus', { name: 'New' }),
      await they.post('/permissions', { code: 'second:made', name: 'Made' }),
    ])
      answer.expect(403, 'ROLE_REQUIRED')
    const { items } = await they.read('/users', there)
    expect(items.map(({ id }: Person) => id)).toContain(second.id)
    ;(await they.get(`/users/${tenant.administrator.id}`, there)).expect(404)
    const made = await they.create('/users', { username: 'by-second', password: 'correct horse' }, there)
    expect(await world.look.count('select tenant_id from users where id = $1', [made.id])).toBe(1)
  })

  test('who was demoted a moment ago cannot give it back to themselves, before anyone was notified of it', async () => {
    const person = await world.givenUser({ id: 1 }, 'admin')
    await world.as(person).read('/users')
    const roles = (await world.as(world.admin).read('/roles')).items
    const { id } = roles.find(({ code }: any) => code === 'admin')
    // Past the service, as another replica does it.
    await world.look.rows('delete from user_roles where tenant_id = 1 and user_id = $1', [person.id])

    const answer = await world.as(person).put(`/users/${person.id}`, { roleIds: [id] })

    answer.expect(403, 'PERMISSION_DENIED')
    expect(await world.look.rows('select from user_roles where user_id = $1', [person.id])).toEqual([])
  })
})

/** The system administrator is one person: the first administrator, or somebody who was appointed. */
describe('the office of the system administrator', () => {
  test('leaves a row for whatever it does in another tenant there, reads and refusals included', async () => {
    const tenant = await world.givenTenant()
    const there = { 'x-tenant-code': tenant.code }
    await world.as(world.admin).read('/users', there)
    await world.as(world.admin).read('/audit/operations', there)
    ;(await world.as(world.admin).get('/projects/987654', there)).expect(404)
    ;(await world.as(world.admin).get(`/files/${tenant.id}/${'a'.repeat(32)}.txt`)).expect(404)
    await world.as(tenant.administrator).read('/users')

    const rows = () =>
      world.look.rows(`select username, path, status from audit_operations where tenant_id = ${tenant.id} order by id`)
    const theirs = (path: string, status: number) => ({ username: 'admin', path: `/api/v1${path}`, status })
    await until(async () =>
      expect(await rows()).toEqual([
        theirs('/users', 200),
        theirs('/audit/operations', 200),
        theirs('/projects/987654', 404),
        theirs(`/files/${tenant.id}/${'a'.repeat(32)}.txt`, 404),
      ]),
    )
  })

  test('is handed to somebody else by the command line, in every process within a second', async () => {
    const own = await openWorld()
    const other = await openInstance(own.databaseUrl)
    const appointee = await own.givenUser({ id: 1 })
    const tenant = await own.givenTenant()
    const everywhere = (person: Person) => [own.as(person), other.as(person)]
    for (const they of everywhere(own.admin)) await they.read('/tenants')
    for (const they of everywhere(appointee)) (await they.get('/tenants')).expect(403)

    const said = await atriumHere(`admin appoint ${appointee.username}`, { env: { DATABASE_URL: own.databaseUrl } })

    expect(said).toMatchObject({ code: 0, out: `${appointee.username} is now the system administrator.\n` })
    await until(async () => {
      for (const they of everywhere(own.admin)) (await they.get('/tenants')).expect(403, 'ROLE_REQUIRED')
      for (const they of everywhere(appointee))
        await they.read(`/users/${tenant.administrator.id}`, { 'x-tenant-code': tenant.code })
    })
    await own.as(own.admin).read('/users')
    ;(await own.as(own.admin).delete(`/users/${appointee.id}`)).expect(409, 'RESERVED')
    ;(await own.as(appointee).put('/users/1', { status: 'disabled' })).expect(200)
    expect(await own.look.rows(`select path from audit_operations where tenant_id = 1 and method = 'CLI'`)).toEqual([
      { path: 'atrium admin appoint' },
    ])
  })

  test('is held by exactly one person of the first tenant, whatever is written', async () => {
    const tenant = await world.givenTenant()
    const write = (tenantId: number, id: number, userId: number) =>
      world.look.rows(
        `insert into system_administrator (tenant_id, id, user_id) values (${tenantId}, ${id}, ${userId})`,
      )
    await expect(write(1, 2, 1)).rejects.toThrow('system_administrator_is_one')
    await expect(write(tenant.id, 1, tenant.administrator.id)).rejects.toThrow('system_administrator_is_one')
    await expect(write(1, 1, tenant.administrator.id)).rejects.toThrow('system_administrator_user')
    const said = await atriumHere('admin appoint nobody', { env: { DATABASE_URL: world.databaseUrl } })
    expect(said).toMatchObject({ code: 1, err: 'User not found (NOT_FOUND).\n' })
  })
})

describe('a lock-out', () => {
  test.each([
    ['one address has', 3, () => HERE, HERE],
    ['many addresses have', 30, (at: number) => `10.3.0.${at}`, '10.4.0.1'],
  ])('that %s caused ends with the password that an administrator gives', async (_, times, guesser, owner) => {
    const tenant = await world.givenTenant()
    const { id, username } = await givenNamed(tenant.administrator, tenant.code)
    for (let at = 0; at < times; at++) (await signIn(username, 'wrong', tenant.code, guesser(at))).expect(401)
    ;(await signIn(username, 'correct horse', tenant.code, owner)).expect(429, 'RATE_LIMITED')
    // Where they have signed in before, guesses from elsewhere keep them out in no case.
    if (owner !== HERE) (await signIn(username, 'correct horse', tenant.code)).expect(200)

    ;(await world.as(tenant.administrator).put(`/users/${id}`, { password: 'a better horse' })).expect(200)

    ;(await signIn(username, 'correct horse', tenant.code, owner)).expect(401)
    ;(await signIn(username, 'a better horse', tenant.code, owner)).expect(200)
  })

  test('of one name by few addresses keeps its owner out nowhere else, were they never there before', async () => {
    const tenant = await world.givenTenant()
    const person = await givenNamed(tenant.administrator, tenant.code)
    const owner = (at: number) => signIn(person.username, 'correct horse', tenant.code, `10.8.1.${at}`)
    for (let at = 0; at < 10; at++) {
      for (let guess = 0; guess < 4; guess++) await signIn(person.username, 'wrong', tenant.code, `10.8.0.${at}`)
      ;(await owner(at)).expect(200)
    }
  })
})

describe("one's own password", () => {
  test('is guessed no oftener than at a sign-in, from one address or from many', async () => {
    const tenant = await world.givenTenant()
    const person = await givenNamed(tenant.administrator, tenant.code)
    const guess = (at: number) =>
      world.as(person).send({
        method: 'PUT',
        url: '/api/v1/auth/password',
        payload: { currentPassword: 'wrong', newPassword: 'a better horse' },
        remoteAddress: `10.5.0.${at}`,
      })
    for (let time = 0; time < 3; time++) (await guess(0)).expect(400, 'WRONG_PASSWORD')
    ;(await guess(0)).expect(429, 'RATE_LIMITED')
    for (let at = 1; at <= 27; at++) (await guess(at)).expect(400, 'WRONG_PASSWORD')
    ;(await guess(28)).expect(429, 'RATE_LIMITED')
    await world.as(person).read('/auth/me')
  })

  test('is not changed by PUT /users without the current one, by administrators neither', async () => {
    const tenant = await world.givenTenant()
    const boss = await givenNamed(tenant.administrator, tenant.code)
    const [{ id }] = (await world.as(tenant.administrator).read('/roles?keyword=tenant-admin')).items
    ;(await world.as(tenant.administrator).put(`/users/${boss.id}`, { roleIds: [id] })).expect(200)
    const put = (patch: object) => world.as(boss).put(`/users/${boss.id}`, patch)

    ;(await put({ password: 'a better horse' })).expect(400, 'WRONG_PASSWORD')
    ;(await put({ password: 'a better horse', currentPassword: 'wrong' })).expect(400, 'WRONG_PASSWORD')
    ;(await signIn(boss.username, 'a better horse', tenant.code)).expect(401)
    ;(await put({ nickname: 'Chief', password: '' })).expect(200)
    ;(await put({ password: 'a better horse', currentPassword: 'correct horse' })).expect(200)
    ;(await signIn(boss.username, 'a better horse', tenant.code)).expect(200)
  })
})

test('production does not start on a database that still has the password of development, and says what to do', async () => {
  const own = await openWorld()
  const env = { NODE_ENV: 'production', ADMIN_PASSWORD: 'for a first start', CORS_ORIGINS: 'https://a.example' }
  const config = testConfig({ ...env, JWT_SECRET: TEST_SECRET, DATABASE_URL: own.databaseUrl })
  const start = async () => (await prepareDatabase(config, own.databaseUrl, pino({ level: 'silent' }))).database.close()
  await expect(start()).rejects.toThrow('atrium admin passwd')

  await atriumHere('admin passwd', { env: { DATABASE_URL: own.databaseUrl }, stdin: 'a password of its own' })

  await start()
})
