import { describe, expect, test } from 'vitest'
import { PRODUCTION } from '#test/config.ts'
import { mailsTo, nthMailTo } from '#test/links.ts'
import { until } from '#test/patience.ts'
import { isHere } from '#test/plugins.ts'
import { openWorld, type Person } from '#test/world.ts'

const PASSWORD = 'a long and winding road'
let counter = 0
const world = await openWorld()
const tenant = await world.givenTenant()

const address = () => `guest-${++counter}@example.com`
const boss = () => world.as(tenant.administrator)
async function invite(draft: object = {}, by: Person = tenant.administrator) {
  return (await world.as(by).post('/invitations', { email: address(), ...draft })).expect(201)
}
const tokenOf = ({ acceptUrl }: { acceptUrl: string }) => acceptUrl.split('#token=')[1]!
const preview = (token: string) => world.anyone.post('/auth/invitations/preview', { token })
const accept = (token: string, more: object = {}) =>
  world.anyone.post('/auth/invitations/accept', { token, username: `guest-${++counter}`, password: PASSWORD, ...more })
const signedIn = (token: string) => world.as({ id: 0, tenantId: tenant.id, username: '', token })
const roleIdOf = (code: string) => world.roleId(tenant, code)
/** A story in which an invitation is mailed, and not only given to its maker. */
const mailed = test.skipIf(!isHere('mail'))

describe('an invitation', () => {
  mailed('is shown to those who may invite, with its link only where it is made', async () => {
    const email = address()
    const made = (await boss().post('/invitations', { email })).expect(201)
    const by = { invitedById: tenant.administrator.id, invitedByName: 'boss' }
    expect(made).toMatchObject({ email, roles: ['user'], departmentId: null, status: 'pending', ...by })
    expect(made.acceptUrl).toMatch(/^http:\/\/localhost:\d+\/account\/invitation#token=\d+\.[\w-]{43}$/)
    const { acceptUrl, ...sent } = made
    const { expiresAt } = made
    const named = { tenantCode: tenant.code, tenantName: tenant.code, email, invitedByName: 'boss', expiresAt }
    expect((await preview(tokenOf(made))).expect(200)).toEqual(named)
    await nthMailTo(world, email)
    const shown = await until(async () => {
      const read = (await boss().get(`/invitations/${made.id}`)).expect(200)
      return read.mailStatus === 'sent' && read
    })
    expect(shown).toEqual({ ...sent, mailStatus: 'sent' })
    expect((await boss().get('/invitations')).expect(200)).toContainEqual(shown)
  })

  mailed('is mailed in the language of the tenant, with the note and a link of its own', async () => {
    ;(await boss().put('/tenant/settings', { locale: 'zh-CN' })).expect(200)
    const email = address()
    const made = await invite({ email, note: 'See <you> on Monday' })
    const mail = await nthMailTo(world, email)
    expect(mail.subject).toBe(`boss 邀请您加入 ${tenant.code}`)
    expect(mail.link.split('#')[0]).toBe(made.acceptUrl.split('#')[0])
    expect(mail.token).not.toBe(tokenOf(made))
    expect(mail.text).toContain('See <you> on Monday')
    ;(await boss().put('/tenant/settings', { locale: 'en' })).expect(200)
  })

  mailed('makes a person, signs them in, verifies their address and notifies the inviter', async () => {
    const roleId = await roleIdOf('user')
    const department = (await boss().post('/departments', { name: 'Press', code: `D${++counter}` })).expect(201)
    const made = await invite({ roleIds: [roleId], departmentId: department.id })
    const username = `grace-${++counter}`
    const { token } = await nthMailTo(world, made.email)
    const pair = (await accept(token, { username, nickname: 'Grace' })).expect(201)
    const profile = (await signedIn(pair.accessToken).get('/users/me')).expect(200)
    expect(profile).toMatchObject({
      ...{ username, nickname: 'Grace', email: made.email, emailVerified: true, status: 'active', roles: ['user'] },
      ...{ selfRegistered: false, lastSignInAt: expect.any(String) },
    })
    expect((await boss().get(`/departments/${department.id}/members`)).expect(200)).toMatchObject([{ id: profile.id }])
    expect((await boss().get(`/invitations/${made.id}`)).expect(200).status).toBe('accepted')
    await expect
      .poll(async () => (await boss().get('/notifications')).expect(200))
      .toContainEqual(expect.objectContaining({ type: 'INVITATION_ACCEPTED', title: 'Grace accepted your invitation' }))
    const login = { username, password: PASSWORD, tenantCode: tenant.code }
    ;(await world.anyone.post('/auth/login', login)).expect(200)
    ;(await accept(tokenOf(made))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await preview(tokenOf(made))).expect(404, 'INVITATION_NOT_FOUND')
  })

  test('stays when the name is taken or the password is bad', async () => {
    const made = await invite()
    const token = tokenOf(made)
    ;(await accept(token, { username: 'boss' })).expect(409, 'USERNAME_TAKEN')
    ;(await accept(token, { nickname: 'Tenant Administrator' })).expect(409, 'NICKNAME_TAKEN')
    for (const password of ['password', made.email])
      (await accept(token, { password })).expect(400, 'VALIDATION_FAILED')
    ;(await accept(token)).expect(201)
  })

  test('is one for each address, in any case, until it is closed', async () => {
    const email = address()
    const first = await invite({ email })
    ;(await boss().post('/invitations', { email: email.toUpperCase() })).expect(409, 'INVITATION_PENDING')
    ;(await boss().delete(`/invitations/${first.id}`)).expect(200)
    ;(await preview(tokenOf(first))).expect(404, 'INVITATION_NOT_FOUND')
    const second = await invite({ email })
    ;(await boss().post(`/invitations/${first.id}/resend`)).expect(409, 'ILLEGAL_TRANSITION')
    await expire(second)
    const third = await invite({ email })
    ;(await boss().post(`/invitations/${second.id}/resend`)).expect(409, 'INVITATION_PENDING')
    ;(await accept(tokenOf(third))).expect(201)
    ;(await boss().delete(`/invitations/${third.id}`)).expect(409, 'ILLEGAL_TRANSITION')
    ;(await boss().delete(`/invitations/${first.id}`)).expect(200)
  })

  mailed('expires, and is pending again when it is sent again: the old link is dead', async () => {
    const made = await invite()
    await expire(made)
    expect((await boss().get(`/invitations/${made.id}`)).expect(200).status).toBe('expired')
    ;(await accept(tokenOf(made))).expect(404, 'INVITATION_NOT_FOUND')
    const expired = (await boss().get('/invitations?status=expired')).expect(200).map(({ id }: any) => id)
    expect(expired).toContain(made.id)
    expect((await boss().get('/invitations?status=pending')).expect(200).map(({ id }: any) => id)).not.toContain(
      made.id,
    )
    const again = (await boss().post(`/invitations/${made.id}/resend`)).expect(200)
    expect(again).toMatchObject({ id: made.id, status: 'pending', email: made.email })
    expect(Date.parse(again.expiresAt)).toBeGreaterThan(Date.now())
    await nthMailTo(world, made.email, 2)
    const mailed = (await mailsTo(world, made.email)).map(({ token }) => token)
    const answers = await Promise.all([tokenOf(made), ...mailed].map(preview))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    ;(await accept(tokenOf(made))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await accept(tokenOf(again))).expect(201)
  })

  test('answers alike for an address that a person has written, and not verified', async () => {
    const known = await invite()
    ;(await accept(tokenOf(known))).expect(201)
    const shapeOf = (made: any) => ({ ...made, id: 0, email: '', acceptUrl: '', createdAt: '', expiresAt: '' })
    const stranger = await invite()
    const again = await invite({ email: known.email })
    expect(shapeOf(again)).toEqual(shapeOf(stranger))
    ;(await accept(tokenOf(again))).expect(201)
  })

  mailed('is refused to the verified address of somebody who is here, and to nobody else', async () => {
    const known = await invite()
    const waiting = await invite({ email: address() })
    ;(await accept((await nthMailTo(world, known.email)).token!)).expect(201)
    ;(await boss().post('/invitations', { email: known.email.toUpperCase() })).expect(409, 'ALREADY_MEMBER')
    await world.look.rows('update users set email = $1, email_key = $1 where email = $2', [waiting.email, known.email])
    ;(await boss().post(`/invitations/${waiting.id}/resend`)).expect(409, 'ALREADY_MEMBER')
    const other = await world.givenTenant()
    ;(await world.as(other.administrator).post('/invitations', { email: waiting.email })).expect(201)
    await invite({ email: known.email })
  })

  test('brings a person whose address was deleted with them', async () => {
    const made = await invite()
    const { accessToken } = (await accept(tokenOf(made))).expect(201)
    const me = (await signedIn(accessToken).get('/users/me')).expect(200)
    ;(await boss().delete(`/users/${me.id}`)).expect(200)
    expect((await boss().get(`/invitations/${made.id}`)).expect(200)).toMatchObject({ status: 'accepted', email: '' })
    ;(await accept(tokenOf(await invite({ email: made.email })))).expect(201)
  })
})

test('a link that cannot be used gets the same refusal, whatever the reason', async () => {
  const used = await invite()
  ;(await accept(tokenOf(used))).expect(201)
  const expired = await invite()
  await expire(expired)
  const withdrawn = await invite()
  ;(await boss().delete(`/invitations/${withdrawn.id}`)).expect(200)
  const closed = await world.givenTenant()
  const ofClosed = (await world.as(closed.administrator).post('/invitations', { email: address() })).expect(201)
  ;(await world.as(world.admin).put(`/tenants/${closed.id}`, { status: 'disabled' })).expect(200)
  const made = [used, expired, withdrawn, ofClosed].map(tokenOf)
  const tokens = [...made, `${tenant.id}.${'A'.repeat(43)}`, `999999.${'A'.repeat(43)}`, 'nonsense']
  for (const send of [preview, accept]) {
    const answers = []
    for (const token of tokens) {
      const { status, headers, body } = await send(token)
      const { 'x-request-id': _, date: __, ...same } = headers
      answers.push({ status, headers: same, body: { ...body, requestId: '' } })
    }
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ status: 404, body: { error: { type: 'INVITATION_NOT_FOUND' } } })
  }
})

describe('nobody invites into rights that they lack', () => {
  test('neither by making an invitation nor by sending one again', async () => {
    const clerk = await world.givenUser(tenant, await world.givenRole(tenant, ['user:invite', 'project:list']))
    const asClerk = world.as(clerk)
    const chiefRole = await roleIdOf('tenant-admin')
    const refused = await asClerk.post('/invitations', { email: address(), roleIds: [chiefRole] })
    expect(refused.expect(403, 'PERMISSION_DENIED').details[0]).toMatchObject({ path: 'body.roleIds' })
    // `user` holds more than the clerk does.
    ;(await asClerk.post('/invitations', { email: address() })).expect(403, 'PERMISSION_DENIED')
    const chief = await invite({ roleIds: [chiefRole] })
    ;(await asClerk.post(`/invitations/${chief.id}/resend`)).expect(403, 'PERMISSION_DENIED')
    ;(await asClerk.delete(`/invitations/${chief.id}`)).expect(403, 'PERMISSION_DENIED')
    expect((await preview(tokenOf(chief))).expect(200).email).toBe(chief.email)
  })

  test('nor into a department without managing departments', async () => {
    const role = await world.givenRole(tenant, ['user:invite', 'project:list'])
    const clerk = await world.givenUser(tenant, role)
    const department = (await boss().post('/departments', { name: 'Hall', code: `D${++counter}` })).expect(201)
    const draft = { email: address(), roleIds: [await roleIdOf(role)], departmentId: department.id }
    ;(await world.as(clerk).post('/invitations', draft)).expect(403, 'PERMISSION_DENIED')
    ;(await world.as(clerk).post('/invitations', { ...draft, departmentId: undefined })).expect(201)
  })

  test('nor into one by sending an invitation again, or by one that waits while they lose that right', async () => {
    const plain = await world.givenRole(tenant, ['user:invite', 'project:list'])
    const manager = await world.givenRole(tenant, ['user:invite', 'project:list', 'department:manage'])
    const [clerk, former] = [await world.givenUser(tenant, plain), await world.givenUser(tenant, manager)]
    const department = (await boss().post('/departments', { name: 'Loft', code: `D${++counter}` })).expect(201)
    const roleIds = [await roleIdOf(plain)]
    const made = await invite({ roleIds, departmentId: department.id }, former)
    const elsewhere = await invite({ roleIds }, former)
    ;(await preview(tokenOf(made))).expect(200)

    ;(await boss().put(`/users/${former.id}`, { roleIds })).expect(200)

    ;(await accept(tokenOf(made))).expect(404, 'INVITATION_NOT_FOUND')
    await expectWithdrawn(made)
    ;(await accept(tokenOf(elsewhere))).expect(201)
    const { details } = (await world.as(clerk).post(`/invitations/${made.id}/resend`)).expect(403, 'PERMISSION_DENIED')
    expect(details).toMatchObject([{ path: 'id', permission: 'department:manage' }])
    ;(await boss().post(`/invitations/${made.id}/resend`)).expect(200)
  })

  test('and what they have lost, their invitation no longer gives, until another person sends it again', async () => {
    const role = await world.givenRole(tenant, ['user:invite', 'project:list'])
    const given = [await roleIdOf(role)]
    const [left, demoted] = [await world.givenUser(tenant, role), await world.givenUser(tenant, role)]
    const [ofLeft, ofDemoted] = [await invite({ roleIds: given }, left), await invite({ roleIds: given }, demoted)]
    ;(await boss().put(`/users/${left.id}`, { status: 'disabled' })).expect(200)
    ;(await boss().put(`/users/${demoted.id}`, { roleIds: [await roleIdOf('user')] })).expect(200)
    ;(await preview(tokenOf(ofLeft))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await accept(tokenOf(ofLeft))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await accept(tokenOf(ofDemoted))).expect(404, 'INVITATION_NOT_FOUND')
    await expectWithdrawn(ofLeft, ofDemoted)
    await invite({ email: ofDemoted.email })
    const again = (await boss().post(`/invitations/${ofLeft.id}/resend`)).expect(200)
    expect(again.invitedById).toBe(tenant.administrator.id)
    ;(await accept(tokenOf(again))).expect(201)
  })

  test('roles and departments that were deleted meanwhile are left out', async () => {
    const kept = await world.givenRole(tenant, ['project:list'])
    const [keptId, goneId] = [await roleIdOf(kept), await roleIdOf(await world.givenRole(tenant, ['project:list']))]
    const department = (await boss().post('/departments', { name: 'Attic', code: `D${++counter}` })).expect(201)
    const both = await invite({ roleIds: [keptId, goneId], departmentId: department.id })
    const only = await invite({ roleIds: [goneId] })
    ;(await boss().delete(`/roles/${goneId}`)).expect(200)
    ;(await boss().delete(`/departments/${department.id}`)).expect(200)
    const left = (await boss().get(`/invitations/${both.id}`)).expect(200)
    expect(left).toMatchObject({ roles: [kept], departmentId: null })
    const { accessToken } = (await accept(tokenOf(both))).expect(201)
    expect((await signedIn(accessToken).get('/auth/me')).expect(200).roles).toEqual([kept])
    ;(await accept(tokenOf(only))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await boss().post(`/invitations/${only.id}/resend`)).expect(404, 'NOT_FOUND')
    await expectWithdrawn(only)
    await invite({ email: only.email })
  })

  test('and it reads withdrawn as long as its sender could not send it', async () => {
    /** `shadow` holds all permissions of `chief` without being an administrator. */
    const { permissions } = (await boss().get(`/roles/${await roleIdOf('tenant-admin')}`)).expect(200)
    const roles: Record<string, string> = {
      chief: 'tenant-admin',
      shadow: await world.givenRole(tenant, permissions),
      clerk: await world.givenRole(tenant, ['user:invite', 'project:list']),
      'former clerk': await world.givenRole(tenant, ['project:list']),
      idle: await world.givenRole(tenant, []),
    }
    /** who may give what */
    const given: Record<string, string[]> = {
      'former clerk': ['chief', 'shadow', 'clerk'],
      idle: ['chief', 'shadow', 'clerk'],
      clerk: ['chief', 'shadow', 'clerk'],
      chief: ['chief'],
      shadow: ['chief', 'shadow'],
    }
    const made = await Promise.all(
      Object.entries(given).map(async ([role, by]) => {
        const { id } = await invite({ roleIds: [await roleIdOf(roles[role]!)] })
        return { id, role, by }
      }),
    )
    for (const [name, role] of Object.entries(roles)) {
      const sender = await world.givenUser(tenant, role)
      const ids = made.map(({ id }) => id)
      await world.look.rows('update invitations set invited_by_id = $1 where id = any($2)', [sender.id, ids])
      for (const { id, role: of, by } of made) {
        const { status } = (await boss().get(`/invitations/${id}`)).expect(200)
        expect([name, of, status]).toEqual([name, of, by.includes(name) ? 'pending' : 'withdrawn'])
      }
    }
  })

  mailed('and it goes with them, or is passed on to a person who could have sent it', async () => {
    const role = await world.givenRole(tenant, ['user:invite', 'project:list'])
    const given = [await roleIdOf(role)]
    const [clerk, heir] = [await world.givenUser(tenant, role), await world.givenUser(tenant, role)]
    const [mine, beyond] = [await invite({ roleIds: given }, clerk), await invite()]
    await world.look.rows('update invitations set invited_by_id = $1 where id = $2', [clerk.id, beyond.id])
    const { token } = await nthMailTo(world, mine.email)
    ;(await boss().put(`/users/${clerk.id}`, { status: 'disabled' })).expect(200)
    expect((await boss().get(`/users/${clerk.id}/responsibilities`)).expect(200).invitations).toEqual(
      [mine, beyond].map(({ id, email }) => ({ id, name: email })),
    )

    const counts = (await boss().post(`/users/${clerk.id}/hand-over`, { toUserId: heir.id })).expect(200)

    expect(counts).toMatchObject({ invitations: 1 })
    expect((await boss().get(`/invitations/${mine.id}`)).expect(200)).toMatchObject({
      ...{ status: 'pending', invitedById: heir.id },
    })
    const [told] = (await world.as(heir).get('/notifications')).expect(200)
    expect(told).toMatchObject({ title: 'Invitations that you answer for now: 1' })
    // Who has gone may have kept the link that was shown to them.
    ;(await preview(tokenOf(mine))).expect(404, 'INVITATION_NOT_FOUND')
    ;(await boss().delete(`/users/${clerk.id}`)).expect(200)
    ;(await accept(token!)).expect(201)
    await expectWithdrawn(beyond)
    const stored = await world.look.rows('select status from invitations where id = $1', [beyond.id])
    expect(stored).toEqual([{ status: 'withdrawn' }])
    await invite({ email: beyond.email })
  })

  test('and the system administrator invites nobody into a tenant that is not theirs', async () => {
    const inside = { 'x-tenant-code': tenant.code }
    ;(await world.as(world.admin).post('/invitations', { email: address() }, inside)).expect(409, 'NOT_IN_TENANT')
    const made = await invite()
    const again = await world.as(world.admin).post(`/invitations/${made.id}/resend`, undefined, inside)
    again.expect(409, 'NOT_IN_TENANT')
    ;(await world.as(world.admin).delete(`/invitations/${made.id}`, inside)).expect(200)
  })
})

test('a service that sends no mail gives the link to the inviter alone', async () => {
  const quiet = await openWorld({ env: PRODUCTION })
  const { administrator } = await quiet.givenTenant()
  const email = address()
  const made = (await quiet.as(administrator).post('/invitations', { email }, { host: 'atrium.example' })).expect(201)
  expect(made.acceptUrl).toMatch(/^http:\/\/atrium\.example\/account\/invitation#token=/)
  expect(await mailsTo(quiet, email)).toEqual([])
  const body = { token: tokenOf(made), username: 'guest', password: PASSWORD }
  ;(await quiet.anyone.post('/auth/invitations/accept', body)).expect(201)
})

async function expectWithdrawn(...made: { id: number }[]) {
  const withdrawn = (await boss().get('/invitations?status=withdrawn')).expect(200).map(({ id }: any) => id)
  for (const { id } of made) {
    expect((await boss().get(`/invitations/${id}`)).expect(200).status).toBe('withdrawn')
    expect(withdrawn).toContain(id)
  }
}

async function expire({ id }: { id: number }) {
  await world.look.rows("update invitations set expires_at = now() - interval '1 second' where id = $1", [id])
}
