import { beforeEach, describe, expect, test } from 'vitest'
import { PRODUCTION } from '#test/config.ts'
import { mailsTo, nthMailTo } from '#test/links.ts'
import { givenPassword } from '#test/quick-hash.ts'
import { openWorld, type Person, type World } from '#test/world.ts'

const PASSWORD = 'a long and winding road'
const FORMER = 'former@example.com'
let counter = 0
const world = await openWorld()
const tenant = await world.givenTenant()

let me: Person
beforeEach(async () => {
  me = await givenPerson(world, tenant)
})
const givenPerson = async (world: World, tenant: { id: number }) =>
  givenPassword(world, await world.givenUser(tenant), PASSWORD, FORMER)
const newAddress = () => `new-${++counter}@example.com`
const save = (patch: object) => world.as(me).put('/users/me', patch)
const profile = async () => (await world.as(me).get('/users/me')).expect(200)
const confirm = (token: string) => world.anyone.post('/auth/email/confirm', { token })

describe('a new e-mail address', () => {
  test('waits until it is confirmed with the link that was mailed to it', async () => {
    const email = newAddress()
    const changed = (await save({ email, nickname: 'Ada', currentPassword: PASSWORD })).expect(200)
    expect(changed).toMatchObject({ email: FORMER, pendingEmail: email, emailVerified: false, nickname: 'Ada' })
    const mail = await nthMailTo(world, email)
    expect(mail.text).toContain(`${me.username} in ${tenant.code} gave this e-mail address`)
    expect(mail.link).toMatch(/^http:\/\/localhost:\d+\/account\/email#token=/)
    expect((await confirm(mail.token)).expect(200)).toBeNull()
    expect(await profile()).toMatchObject({ email, pendingEmail: null, emailVerified: true })
    const notices = async () =>
      (await mailsTo(world, FORMER)).filter(({ subject }) => subject === 'Your e-mail address was changed')
    await expect
      .poll(notices)
      .toEqual([expect.objectContaining({ text: expect.stringContaining(me.username), link: '' })])
    ;(await confirm(mail.token)).expect(404, 'EMAIL_TOKEN_NOT_FOUND')
  })

  test('replaces one that waits: its link is dead', async () => {
    const [first, second] = [newAddress(), newAddress()]
    ;(await save({ email: first, currentPassword: PASSWORD })).expect(200)
    expect((await save({ email: second, currentPassword: PASSWORD })).expect(200).pendingEmail).toBe(second)
    ;(await confirm((await nthMailTo(world, first)).token)).expect(404, 'EMAIL_TOKEN_NOT_FOUND')
    ;(await confirm((await nthMailTo(world, second)).token)).expect(200)
    expect((await profile()).email).toBe(second)
  })

  test('needs the password, and nothing waits without it', async () => {
    const email = newAddress()
    ;(await save({ email })).expect(400, 'WRONG_PASSWORD')
    expect(await profile()).toMatchObject({ email: FORMER, pendingEmail: null })
    expect(await mailsTo(world, email)).toEqual([])
  })

  const waysToDie: Record<string, () => Promise<unknown>> = {
    'after a day': () => world.look.rows("update email_confirmations set expires_at = now() - interval '1 second'"),
    'when the password changes, as it may have been somebody else who asked': async () => {
      const body = { currentPassword: PASSWORD, newPassword: 'another long and winding road' }
      ;(await world.as(me).put('/auth/password', body)).expect(200)
    },
    'when it is cleared': async () =>
      expect((await save({ email: null, currentPassword: PASSWORD })).expect(200).email).toBeNull(),
    'when an administrator sets another address': async () => {
      ;(await world.as(tenant.administrator).put(`/users/${me.id}`, { email: 'set@example.com' })).expect(200)
    },
    'when its person is deleted': async () => {
      ;(await world.as(tenant.administrator).delete(`/users/${me.id}`)).expect(200)
    },
  }
  for (const [when, happen] of Object.entries(waysToDie))
    test(`no longer waits ${when}`, async () => {
      const email = newAddress()
      ;(await save({ email, currentPassword: PASSWORD })).expect(200)
      const { token } = await nthMailTo(world, email)
      await happen()
      expect((await world.as(me).get('/users/me')).body.data?.pendingEmail ?? null).toBeNull()
      ;(await confirm(token)).expect(404, 'EMAIL_TOKEN_NOT_FOUND')
    })

  test('can be asked to be confirmed ten times an hour', async () => {
    for (let time = 0; time < 10; time++) (await save({ email: newAddress(), currentPassword: PASSWORD })).expect(200)
    ;(await save({ email: newAddress(), currentPassword: PASSWORD })).expect(429, 'RATE_LIMITED')
  })
})

test('the address that a person has can be verified, if they say so with their password', async () => {
  expect((await save({ email: FORMER, phone: '1' })).expect(200).pendingEmail).toBeNull()
  expect((await save({ email: FORMER, currentPassword: PASSWORD })).expect(200).pendingEmail).toBe(FORMER)
  const links = async () =>
    (await mailsTo(world, FORMER)).filter(({ link, text }) => link && text.includes(me.username))
  await expect.poll(async () => (await links()).length).toBe(1)
  ;(await confirm((await links())[0]!.token)).expect(200)
  expect(await profile()).toMatchObject({ email: FORMER, emailVerified: true, pendingEmail: null })
})

test('without mail, an address changes immediately and is not verified', async () => {
  const quiet = await openWorld({ env: PRODUCTION })
  const person = await givenPerson(quiet, await quiet.givenTenant())
  const email = newAddress()
  const changed = await quiet.as(person).put('/users/me', { email, currentPassword: PASSWORD })
  expect(changed.expect(200)).toMatchObject({ email, pendingEmail: null, emailVerified: false })
})
