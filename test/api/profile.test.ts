import { describe, expect, test } from 'vitest'
import { confirmations } from '../../src/domains/users/users.rules.ts'
import { testConfig } from '../support/config.ts'
import { slowClock } from '../support/move-clock.ts'
import { quickHash } from '../support/quick-hash.ts'
import { openWorld, type Person } from '../support/world.ts'

const PASSWORD = 'a long and winding road'
slowClock()
const world = await openWorld({ env: { SIGN_IN_LIMIT: '3' } })
const tenant = await world.givenTenant()
const passwordHash = await quickHash(PASSWORD)
const me = await givenPerson()

async function givenPerson(role?: string): Promise<Person> {
  const person = await world.givenUser(tenant, role)
  await world.look.rows('update users set password_hash = $1 where id = $2', [passwordHash, person.id])
  return person
}
const save = (patch: object, person = me, headers = {}) => world.as(person).put('/users/me', patch, headers)

describe("a profile of one's own", () => {
  test('is read and changed by anybody, and seen by those who manage people', async () => {
    const before = await world.as(me).read('/users/me')
    expect(before).toMatchObject({ id: me.id, username: me.username, roles: ['user'], phone: null })
    const changed = (await save({ nickname: 'Ada', phone: '4711', realName: 'Ada L' })).expect(200)
    const ada = { nickname: 'Ada', phone: '4711', realName: 'Ada L' }
    expect(changed).toEqual({ ...before, ...ada, updatedAt: changed.updatedAt, version: before.version + 1 })
    expect(await world.as(me).read('/users/me')).toEqual(changed)
    const standing = { emailVerified: false, pendingEmail: null, secondFactor: false, mustChangePassword: false }
    expect(changed).toMatchObject(standing)
    expect(changed).toMatchObject(await world.as(tenant.administrator).read(`/users/${me.id}`))
    expect((await save({ phone: null })).expect(200)).toMatchObject({ nickname: 'Ada', phone: null })
  })

  test('gives nobody a role, a state, a name to sign in with or a password', async () => {
    const roles = (await world.as(tenant.administrator).read('/roles')).items
    const before = await world.as(me).read('/users/me')
    const rights = { roles: ['tenant-admin'], roleIds: roles.map(({ id }: any) => id) }
    const wishes = { ...rights, id: 1, username: 'boss2', status: 'disabled', password: 'another road', tenantId: 1 }
    const after = (await save(wishes)).expect(200)
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt, version: before.version + 1 })
    const kept = await world.look.rows('select password_hash from users where id = $1', [me.id])
    expect(kept).toEqual([{ password_hash: passwordHash }])
  })

  test('gets another e-mail address with the password alone, whose guesses are counted', async () => {
    const person = await givenPerson()
    const email = 'ada@example.com'
    ;(await save({ email }, person)).expect(400, 'WRONG_PASSWORD')
    ;(await save({ email, currentPassword: 'wrong' }, person)).expect(400, 'WRONG_PASSWORD')
    // Where nobody confirms addresses, it is the address immediately.
    const field = confirmations.get().areSent(testConfig()) ? 'pendingEmail' : 'email'
    expect((await save({ email, currentPassword: PASSWORD }, person)).expect(200)[field]).toBe(email)
    await world.look.rows('update users set email = $1 where id = $2', [email, person.id])
    expect((await save({ email, nickname: 'Ada Two' }, person)).expect(200)).toMatchObject({ email })
    ;(await save({ email: null, currentPassword: 'wrong' }, person)).expect(400, 'WRONG_PASSWORD')
    ;(await save({ email: null, currentPassword: PASSWORD }, person)).expect(429, 'RATE_LIMITED')
    ;(await save({ nickname: 'Ada Three' }, person)).expect(200)
  })

  test('keeps its e-mail address in the form of those who manage people too, unless they send the password', async () => {
    const boss = await givenPerson('tenant-admin')
    const put = (patch: object) => world.as(boss).put(`/users/${boss.id}`, patch)
    const email = 'boss@example.com'
    ;(await put({ email })).expect(400, 'WRONG_PASSWORD')
    ;(await put({ email, currentPassword: 'wrong' })).expect(400, 'WRONG_PASSWORD')
    const changed = (await put({ email, currentPassword: PASSWORD })).expect(200)
    expect(changed.email).toBe(email)
    // A form sends back what it has read.
    expect((await put({ ...changed, nickname: 'Chief' })).expect(200)).toMatchObject({ email, nickname: 'Chief' })
  })

  test('says which mail a person wants, in which language and by which clock', async () => {
    const person = await givenPerson()
    const read = () => world.as(person).read('/users/me')
    expect(await read()).toMatchObject({ locale: null, timeZone: null, mail: 'at_once' })

    const wishes = { locale: 'zh-CN', timeZone: 'Asia/Shanghai', mail: 'daily' }
    expect((await save(wishes, person)).expect(200)).toMatchObject(wishes)
    const never = { ...wishes, locale: null, mail: 'never' }
    expect((await save({ locale: null, mail: 'never' }, person)).expect(200)).toMatchObject(never)
    expect((await save({ phone: '4711' }, person)).expect(200)).toMatchObject(never)
    for (const wrong of [{ locale: 'de' }, { timeZone: 'Mars/Olympus' }, { mail: 'hourly' }, { mail: null }])
      (await save(wrong, person)).expect(400, 'VALIDATION_FAILED')
    expect(await read()).toMatchObject({ locale: null, timeZone: 'Asia/Shanghai', mail: 'never' })
  })

  test('is not overwritten by a stale form, which names the version or the ETag that it has read', async () => {
    const person = await givenPerson()
    const { data, headers } = await world.as(person).get('/users/me')
    const read = { 'if-match': String(headers.etag) }
    for (const newer of [{ timeZone: 'Asia/Shanghai' }, { timeZone: null, mail: 'daily' }, { locale: 'zh-CN' }]) {
      ;(await save(newer, person)).expect(200)
      const { details } = (await save({ timeZone: 'UTC', version: data.version }, person)).expect(
        409,
        'VERSION_CONFLICT',
      )
      expect(details).toMatchObject([{ path: 'version', expected: data.version }])
      ;(await save({ timeZone: 'UTC' }, person, read)).expect(412, 'PRECONDITION_FAILED')
    }
    const now = await world.as(person).get('/users/me')
    expect(now.expect(200)).toMatchObject({ locale: 'zh-CN', timeZone: null, mail: 'daily' })
    ;(await save({ phone: '1', version: now.data.version }, person)).expect(200)
    const again = { 'if-match': String((await world.as(person).get('/users/me')).headers.etag) }
    ;(await save({ timeZone: 'UTC' }, person, again)).expect(200)
  })

  test('has a verified address until that address changes, whoever changes it', async () => {
    const person = await givenPerson()
    const address = 'ada@example.com'
    await world.look.rows('update users set email = $1, email_verified_at = now() where id = $2', [address, person.id])
    expect((await save({ phone: '1' }, person)).expect(200).emailVerified).toBe(true)
    await world.as(tenant.administrator).put(`/users/${person.id}`, { email: 'ada@elsewhere.example' })
    const unverified = { email: 'ada@elsewhere.example', emailVerified: false }
    expect(await world.as(person).read('/users/me')).toMatchObject(unverified)
  })

  test('of a system administrator is the one at home, whichever tenant they name', async () => {
    const inside = { 'x-tenant-code': tenant.code }
    const admin = await world.as(world.admin).read('/users/me', inside)
    expect(admin).toMatchObject({ id: 1, username: 'admin' })
    expect((await save({ phone: '1', nickname: 'Root' }, world.admin, inside)).expect(200)).toMatchObject({ id: 1 })
    expect(await world.look.count(`select tenant_id from users where nickname = 'Root'`)).toBe(1)
  })
})

describe('the directory of people', () => {
  const ask = (keyword: string) =>
    world.as(tenant.administrator).get(`/users/directory?keyword=${encodeURIComponent(keyword)}`)
  const find = async (keyword: string) => (await ask(keyword)).expect(200)

  test('shows the active people of the tenant to everybody in it, and nothing but their names and pictures', async () => {
    const [active, disabled] = [await world.givenUser(tenant), await world.givenUser(tenant)]
    await world.look.rows(`update users set status = 'disabled' where id = $1`, [disabled.id])
    const nobody = await world.givenUser(tenant, [])

    const people = await world.as(nobody).read('/users/directory')

    const shown = { id: active.id, username: active.username, avatarUrl: null, status: 'active' }
    expect(people).toContainEqual({ ...shown, nickname: expect.stringMatching(/^Person/) })
    const ids = people.map(({ id }: any) => id)
    expect(ids).toEqual(expect.arrayContaining([tenant.administrator.id, nobody.id]))
    expect(ids).not.toContain(disabled.id)
    expect(ids).not.toContain(world.admin.id)
  })

  test('is searched by user name and nickname, literally and without regard to case', async () => {
    const user = await world.givenUser(tenant)
    await world.look.rows(`update users set nickname = '100%_Zoë\\' where id = $1`, [user.id])
    for (const keyword of ['zoë', '%', '_z', '\\', user.username.toUpperCase()])
      expect((await find(keyword)).map(({ id }: any) => id)).toEqual([user.id])
    for (const keyword of ['100_', '%%', "'", 'nobody at all']) expect(await find(keyword)).toEqual([])
    const all = await world.as(tenant.administrator).read('/users/directory')
    expect(await find('  ')).toEqual(all)
  })
})
