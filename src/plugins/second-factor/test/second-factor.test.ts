import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { atriumHere } from '#test/cli-here.ts'
import { TEST_SECRET } from '#test/config.ts'
import { isHere } from '#test/plugins.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { tablesWith } from '#test/rows-with.ts'
import { addFactor, codeOf, givenFactor, type Phone } from '#test/second-factor.ts'
import { openWorld, type Person, type Tenant } from '#test/world.ts'
import { sealWith } from '../../../util/seal.ts'

const PASSWORD = 'a long and winding road'
const PATH = '/auth/second-factor'
let tenant: Tenant
let boss: Person
const world = await openWorld({ env: { SIGN_IN_LIMIT: '10' } })
beforeEach(async () => {
  tenant = await world.givenTenant()
  boss = await withPassword(tenant.administrator)
})

/** The limits count no minute from now on: wrong ones are as many as a test says, however slow it is. */
const stopClock = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())
afterEach(() => void vi.restoreAllMocks())

const withPassword = (person: Person) => givenPassword(world, person, PASSWORD)
const givenPerson = async (role?: string) => withPassword(await world.givenUser(tenant, role))
/** A person whose account a second factor protects. */
async function givenProtected(role?: string): Promise<{ person: Person; phone: Phone }> {
  const person = await givenPerson(role)
  return { person, phone: await addFactor(world.as(person), PASSWORD) }
}
const signIn = ({ username }: Person, code?: string | null, password = PASSWORD) =>
  world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code, code })
const remove = (person: Person, password: string) =>
  world.as(person).send({ method: 'DELETE', url: `/api/v1${PATH}`, payload: { password } })
const stored = async ({ id }: Person) =>
  (await world.look.rows<{ secret: string }>('select secret from second_factors where user_id = $1', [id]))[0]?.secret

describe('a second factor', () => {
  test('is begun, confirmed and from then on asked for', async () => {
    const person = await givenPerson()
    const me = world.as(person)
    const begun = (await me.post(PATH, { password: PASSWORD })).expect(200)
    expect(begun).toEqual({ secret: expect.stringMatching(/^[A-Z2-7]{32}$/), otpauthUrl: expect.any(String) })
    expect(begun.otpauthUrl).toMatch(/^otpauth:\/\/totp\/.*secret=[A-Z2-7]{32}.*period=30/)
    ;(await signIn(person)).expect(200)
    expect((await me.get('/users/me')).expect(200)).toMatchObject({ secondFactor: false })

    ;(await me.post(`${PATH}/confirm`, { code: codeOf(begun.secret, 5) })).expect(400, 'WRONG_CODE')
    const { recoveryCodes } = (await me.post(`${PATH}/confirm`, { code: codeOf(begun.secret) })).expect(200)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect((await me.get('/users/me')).expect(200)).toMatchObject({ secondFactor: true })
    ;(await signIn(person)).expect(401, 'SECOND_FACTOR_REQUIRED')
    ;(await signIn(person, '')).expect(401, 'SECOND_FACTOR_REQUIRED')
    ;(await me.post(PATH, { password: PASSWORD })).expect(409, 'SECOND_FACTOR_EXISTS')
    ;(await me.post(`${PATH}/confirm`, { code: codeOf(begun.secret, 1) })).expect(409, 'SECOND_FACTOR_EXISTS')
  })

  test('that was not begun is not confirmed; one that is begun again has another secret', async () => {
    const me = world.as(await givenPerson())
    ;(await me.post(`${PATH}/confirm`, { code: '000000' })).expect(404, 'NOT_FOUND')
    const first = (await me.post(PATH, { password: PASSWORD })).expect(200)
    const second = (await me.post(PATH, { password: PASSWORD })).expect(200)
    ;(await me.post(`${PATH}/confirm`, { code: codeOf(first.secret) })).expect(400, 'WRONG_CODE')
    ;(await me.post(`${PATH}/confirm`, { code: codeOf(second.secret) })).expect(200)
  })

  test('is begun with the password alone, by those who have one, and wrong ones are counted', async () => {
    const person = await givenPerson()
    const me = world.as(person)
    stopClock()
    ;(await me.post(PATH)).expect(400, 'WRONG_PASSWORD')
    ;(await me.post(PATH, {})).expect(400, 'WRONG_PASSWORD')
    ;(await me.post(PATH, { password: 'x'.repeat(129) })).expect(400, 'VALIDATION_FAILED')
    expect(await stored(person)).toBeUndefined()
    const guesses = Array.from({ length: 8 }, (_, n) => ({ password: `guess ${n}` }))
    for (const guess of guesses) (await me.post(PATH, guess)).expect(400, 'WRONG_PASSWORD')
    ;(await me.post(PATH, { password: PASSWORD })).expect(429, 'RATE_LIMITED')
    ;(await remove(person, PASSWORD)).expect(429, 'RATE_LIMITED')

    const withoutPassword = world.as(await world.givenUser(tenant))
    ;(await withoutPassword.post(PATH)).expect(200)
    ;(await withoutPassword.post(PATH, { password: 'none' })).expect(200)
  })

  test.skipIf(!isHere('mail'))('that was added is reported by mail to people with an address', async () => {
    const { person } = await givenProtected()
    expect((await world.as(boss).get('/mails')).expect(200)).toEqual([])
    ;(await remove(person, PASSWORD)).expect(200)
    await world.look.rows('update users set email = $1 where id = $2', ['ada@example.com', person.id])
    ;(await world.as(person).post(PATH, { password: PASSWORD })).expect(200)
    expect((await world.as(boss).get('/mails')).expect(200)).toEqual([])
    await addFactor(world.as(person), PASSWORD)
    const mails = (await world.as(boss).get('/mails')).expect(200)
    expect(mails).toMatchObject([{ kind: 'SECOND_FACTOR_ADDED', recipient: 'ada@example.com' }])
  })

  test('is removed with the password alone, and everything of it is gone', async () => {
    const { person } = await givenProtected()
    ;(await remove(person, 'not the password')).expect(400, 'WRONG_PASSWORD')
    ;(await remove(person, PASSWORD)).expect(200)
    ;(await remove(person, PASSWORD)).expect(404, 'NOT_FOUND')
    ;(await signIn(person)).expect(200)
    expect(await stored(person)).toBeUndefined()
    expect(await world.look.count(`select count(*) from recovery_codes where user_id = ${person.id}`)).toBe(0)
  })

  test('is stored encrypted, its recovery codes as hashes, and no log or audit row has either', async () => {
    const { person, phone } = await givenProtected()
    ;(await signIn(person, phone.recoveryCodes[0]!)).expect(200)
    expect(await stored(person)).toMatch(/^s1\./)
    const [, code] = phone.recoveryCodes
    expect(await tablesWith(world.look, phone.secret, code!, code!.replaceAll('-', ''))).toEqual([])
  })
})

describe('signing in with a second factor', () => {
  test('takes each code once: of the app, one step around now', async () => {
    const { person, phone } = await givenProtected()
    ;(await signIn(person, phone.used)).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(person, codeOf(phone.secret, -3))).expect(401, 'INVALID_CREDENTIALS')
    const code = codeOf(phone.secret, 1)
    ;(await signIn(person, `${code.slice(0, 3)} ${code.slice(3)}`)).expect(200)
    ;(await signIn(person, code)).expect(401, 'INVALID_CREDENTIALS')
    // That is the code of this step, if the last one has passed on the way.
    ;(await signIn(person, codeOf(phone.secret, codeOf(phone.secret) === code ? 1 : 0))).expect(200)
  })

  test('takes each recovery code once, however it is written', async () => {
    const { person, phone } = await givenProtected()
    const [first, second] = phone.recoveryCodes
    ;(await signIn(person, first!.toLowerCase().replaceAll('-', ' '))).expect(200)
    ;(await signIn(person, first!)).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(person, second!)).expect(200)
    const other = await givenProtected()
    ;(await signIn(other.person, phone.recoveryCodes[2]!)).expect(401, 'INVALID_CREDENTIALS')
  })

  test('tells nobody without the password that there is one', async () => {
    const { person, phone } = await givenProtected()
    for (const code of [undefined, codeOf(phone.secret, 1), phone.recoveryCodes[0]!])
      (await signIn(person, code, 'not the password')).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(person, phone.recoveryCodes[0]!)).expect(200)
  })

  test('counts wrong codes as failed sign-ins, and not the question for one', async () => {
    const { person, phone } = await givenProtected()
    stopClock()
    for (let n = 0; n < 12; n++) (await signIn(person)).expect(401, 'SECOND_FACTOR_REQUIRED')
    for (let n = 0; n < 10; n++) (await signIn(person, '7K3M-92QX-TV4N-0HJD')).expect(401, 'INVALID_CREDENTIALS')
    ;(await signIn(person, phone.recoveryCodes[0]!)).expect(429, 'RATE_LIMITED')
    ;(await signIn(await givenPerson())).expect(200)
  })

  test('is not asked for when a session is continued', async () => {
    const { person, phone } = await givenProtected()
    const { refreshToken } = (await signIn(person, codeOf(phone.secret, 1))).expect(200)
    ;(await world.anyone.post('/auth/refresh', { refreshToken })).expect(200)
  })
})

describe.skipIf(!isHere('settings'))('a tenant that requires a second factor', () => {
  beforeEach(async () => {
    await addFactor(world.as(boss), PASSWORD)
    ;(await world.as(boss).put('/tenant/settings', { secondFactor: 'required' })).expect(200)
  })

  test('lets people without one do nothing but add it', async () => {
    const person = await givenPerson()
    const me = world.as(person)
    for (const refused of [me.get('/projects'), me.get('/auth/me'), me.get('/users/me'), me.post('/projects', {})])
      (await refused).expect(403, 'SECOND_FACTOR_MISSING')
    ;(await me.put('/auth/password', {})).expect(403, 'SECOND_FACTOR_MISSING')
    await addFactor(me, PASSWORD)
    ;(await me.get('/projects')).expect(200)
    ;(await remove(person, PASSWORD)).expect(200)
    ;(await me.get('/projects')).expect(403, 'SECOND_FACTOR_MISSING')
    ;(await me.post('/auth/logout')).expect(200)
  })

  test('has a new person change the password before', async () => {
    const person = await givenPerson()
    await world.look.rows('update users set must_change_password = true where id = $1', [person.id])
    ;(await world.as(person).post(PATH)).expect(403, 'PASSWORD_CHANGE_REQUIRED')
    const change = { currentPassword: PASSWORD, newPassword: 'another winding road' }
    ;(await world.as(person).put('/auth/password', change)).expect(200)
    ;(await world.as(person).get('/projects')).expect(403, 'SECOND_FACTOR_MISSING')
  })

  test('frees everybody once it is optional again, and is no concern of other tenants', async () => {
    const me = world.as(await givenPerson())
    ;(await me.get('/projects')).expect(403, 'SECOND_FACTOR_MISSING')
    ;(await world.as((await world.givenTenant()).administrator).get('/projects')).expect(200)
    ;(await world.as(boss).put('/tenant/settings', { secondFactor: 'optional' })).expect(200)
    ;(await me.get('/projects')).expect(200)
  })
})

describe('taking a second factor off somebody', () => {
  const takeOff = (by: Person, { id }: Person) => world.as(by).delete(`/users/${id}/second-factor`)

  test.skipIf(!isHere('mail'))(
    'is for those who hold all of their rights; it is audited, and the person gets a mail',
    async () => {
      const { person } = await givenProtected()
      await world.look.rows('update users set email = $1 where id = $2', ['lost@example.com', person.id])
      ;(await takeOff(boss, person)).expect(200)
      ;(await signIn(person)).expect(200)
      ;(await takeOff(boss, person)).expect(404, 'NOT_FOUND')

      const mails = (await world.as(boss).get('/mails')).expect(200)
      expect(mails).toMatchObject([{ kind: 'SECOND_FACTOR_REMOVED', recipient: 'lost@example.com' }])
      const audit = (await world.as(boss).get('/audit/operations?method=DELETE')).expect(200)
      expect(audit.map(({ path, status }: any) => [path, status])).toContainEqual([
        `/api/v1/users/${person.id}/second-factor`,
        200,
      ])
    },
  )

  test('is refused for those with other rights, and for oneself', async () => {
    const clerk = await givenPerson(await world.givenRole(tenant, ['user:update']))
    const { person } = await givenProtected()
    ;(await takeOff(clerk, person)).expect(403, 'PERMISSION_DENIED')
    await givenFactor(world, boss.id)
    ;(await takeOff(clerk, boss)).expect(403, 'PERMISSION_DENIED')
    ;(await takeOff(boss, boss)).expect(403, 'PERMISSION_DENIED')
  })

  test('is done by the operator too, audited', async () => {
    const { person } = await givenProtected()
    const env = { DATABASE_URL: world.databaseUrl, JWT_SECRET: TEST_SECRET }
    const who = `--tenant ${tenant.code} --username ${person.username}`
    expect(await atriumHere(`admin remove-factor ${who}`, { env })).toMatchObject({ code: 0 })
    ;(await signIn(person)).expect(200)
    const audit = (await world.as(boss).get('/audit/operations')).expect(200)
    expect(audit.map(({ path }: any) => path)).toContain('atrium admin remove-factor')
    expect(await atriumHere(`admin remove-factor ${who}`, { env })).toMatchObject({ code: 1 })
  })
})

describe('when the key is replaced', () => {
  const NEWER = 'a-newer-key-of-the-tests-which-seals-everything'

  test('a secret is encrypted with the newest key as soon as it is used', async () => {
    const later = await openWorld({ env: { ENCRYPTION_KEY: `${NEWER},${TEST_SECRET}` } })
    const { id, code: tenantCode, administrator } = await later.givenTenant()
    await givenPassword(later, administrator, PASSWORD)
    const phone = await addFactor(later.as(administrator), PASSWORD)
    const place = `second_factors ${id}/${administrator.id}`
    const sealed = sealWith([TEST_SECRET]).seal(phone.secret, place)
    await later.look.rows('update second_factors set secret = $1 where user_id = $2', [sealed, administrator.id])

    const form = { username: 'boss', password: PASSWORD, tenantCode, code: codeOf(phone.secret, 1) }
    ;(await later.anyone.post('/auth/login', form)).expect(200)

    const [row] = await later.look.rows('select secret from second_factors where user_id = $1', [administrator.id])
    expect(sealWith([NEWER]).open(row!.secret, place)).toBe(phone.secret)
  })

  test('the command line names a secret that no key opens', async () => {
    const { person } = await givenProtected()
    const env = { DATABASE_URL: world.databaseUrl, JWT_SECRET: 'another-key-that-has-sealed-nothing-at-all' }
    const lost = await atriumHere('secrets reseal', { env })
    expect(lost).toMatchObject({ code: 1, err: expect.stringContaining(`second_factors ${tenant.id}/${person.id}`) })
  })
})
