import { beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { openWorld, type Person, type Tenant } from '../support/world.ts'

const PASSWORD = 'a long and winding road'
let tenant: Tenant
let me: Person
let passwordHash: string
const world = await openWorld({ env: { SIGN_IN_LIMIT: '3' } })
beforeAll(async () => {
  tenant = await world.givenTenant()
  passwordHash = await hashPassword(PASSWORD)
  me = await givenPerson()
})

async function givenPerson(role?: string): Promise<Person> {
  const person = await world.givenUser(tenant, role)
  await world.look.rows('update users set password_hash = $1 where id = $2', [passwordHash, person.id])
  return person
}
const save = (patch: object, person = me, headers = {}) => world.as(person).put('/users/me', patch, headers)

describe("a profile of one's own", () => {
  test('is read and changed by anybody, and seen by those who manage people', async () => {
    const before = (await world.as(me).get('/users/me')).expect(200)
    expect(before).toMatchObject({ id: me.id, username: me.username, roles: ['user'], phone: null })
    const changed = (await save({ nickname: 'Ada', phone: '4711', realName: 'Ada L' })).expect(200)
    expect(changed).toEqual({
      ...before,
      nickname: 'Ada',
      phone: '4711',
      realName: 'Ada L',
      updatedAt: changed.updatedAt,
      version: before.version + 1,
    })
    expect((await world.as(me).get('/users/me')).expect(200)).toEqual(changed)
    expect(changed).toMatchObject({
      emailVerified: false,
      pendingEmail: null,
      secondFactor: false,
      mustChangePassword: false,
    })
    expect(changed).toMatchObject((await world.as(tenant.administrator).get(`/users/${me.id}`)).expect(200))
    expect((await save({ phone: null })).expect(200)).toMatchObject({ nickname: 'Ada', phone: null })
  })

  test('gives nobody a role, a state, a name to sign in with or a password', async () => {
    const roles = (await world.as(tenant.administrator).get('/roles')).expect(200).items
    const before = (await world.as(me).get('/users/me')).expect(200)
    const wishes = {
      id: 1,
      username: 'boss2',
      status: 'disabled',
      roles: ['tenant-admin'],
      roleIds: roles.map(({ id }: any) => id),
      password: 'another long road',
      tenantId: 1,
    }
    const after = (await save(wishes)).expect(200)
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt, version: before.version + 1 })
    expect(await world.look.rows('select password_hash from users where id = $1', [me.id])).toEqual([
      { password_hash: passwordHash },
    ])
  })

  test('gets another e-mail address with the password alone, whose guesses are counted', async () => {
    const person = await givenPerson()
    const email = 'ada@example.com'
    ;(await save({ email }, person)).expect(400, 'WRONG_PASSWORD')
    ;(await save({ email, currentPassword: 'wrong' }, person)).expect(400, 'WRONG_PASSWORD')
    expect((await save({ email, currentPassword: PASSWORD }, person)).expect(200).pendingEmail).toBe(email)
    await world.look.rows('update users set email = $1 where id = $2', [email, person.id])
    expect((await save({ email, nickname: 'Ada Two' }, person)).expect(200)).toMatchObject({ email })
    ;(await save({ email: null, currentPassword: 'wrong' }, person)).expect(400, 'WRONG_PASSWORD')
    ;(await save({ email: null, currentPassword: PASSWORD }, person)).expect(429, 'RATE_LIMITED')
    ;(await save({ nickname: 'Ada Three' }, person)).expect(200)
  })

  test('says which mail a person wants, in which language and by which clock', async () => {
    const person = await givenPerson()
    const read = async () => (await world.as(person).get('/users/me')).expect(200)
    expect(await read()).toMatchObject({ locale: null, timeZone: null, mail: 'at_once' })

    const wishes = { locale: 'zh-CN', timeZone: 'Asia/Shanghai', mail: 'daily' }
    expect((await save(wishes, person)).expect(200)).toMatchObject(wishes)
    expect((await save({ locale: null, mail: 'never' }, person)).expect(200)).toMatchObject({
      ...wishes,
      locale: null,
      mail: 'never',
    })
    expect((await save({ phone: '4711' }, person)).expect(200)).toMatchObject({
      timeZone: 'Asia/Shanghai',
      mail: 'never',
    })
    for (const wrong of [{ locale: 'de' }, { timeZone: 'Mars/Olympus' }, { mail: 'hourly' }, { mail: null }])
      (await save(wrong, person)).expect(400, 'VALIDATION_FAILED')
    expect(await read()).toMatchObject({ locale: null, timeZone: 'Asia/Shanghai', mail: 'never' })
  })

  test('has a verified address until that address changes, whoever changes it', async () => {
    const person = await givenPerson()
    const address = 'ada@example.com'
    await world.look.rows('update users set email = $1, email_verified_at = now() where id = $2', [address, person.id])
    expect((await save({ phone: '1' }, person)).expect(200).emailVerified).toBe(true)
    await world.as(tenant.administrator).put(`/users/${person.id}`, { email: 'ada@elsewhere.example' })
    expect((await world.as(person).get('/users/me')).expect(200)).toMatchObject({
      email: 'ada@elsewhere.example',
      emailVerified: false,
    })
  })

  test('takes no nickname that looks like the name of somebody else', async () => {
    ;(await save({ nickname: tenant.administrator.username })).expect(409, 'NICKNAME_TAKEN')
    ;(await save({ nickname: 'zero\u200bwidth' })).expect(400, 'VALIDATION_FAILED')
  })

  test('is not written over by an old form', async () => {
    const etag = String((await world.as(me).get('/users/me')).headers.etag)
    ;(await save({ phone: '1' }, me, { 'if-match': etag })).expect(200)
    ;(await save({ phone: '2' }, me, { 'if-match': etag })).expect(412, 'PRECONDITION_FAILED')
    ;(await save({ phone: '2' }, me, { 'if-match': 'nonsense' })).expect(400, 'VALIDATION_FAILED')
  })

  test('of a system administrator is the one at home, whichever tenant they name', async () => {
    const inside = { 'x-tenant-code': tenant.code }
    expect((await world.as(world.admin).get('/users/me', inside)).expect(200)).toMatchObject({
      id: 1,
      username: 'admin',
    })
    expect((await save({ phone: '1', nickname: 'Root' }, world.admin, inside)).expect(200)).toMatchObject({ id: 1 })
    expect(await world.look.rows('select tenant_id from users where nickname = $1', ['Root'])).toEqual([
      { tenant_id: '1' },
    ])
  })

  test('of an administrator keeps them one, even the last', async () => {
    expect((await save({ nickname: 'The chief' }, tenant.administrator)).expect(200).roles).toEqual(['tenant-admin'])
  })
})
