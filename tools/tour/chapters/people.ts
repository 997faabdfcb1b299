import { Secret, TOTP } from 'otpauth'
import type { Atrium } from '../../../client/index.ts'
import { lines, type Tour } from '../cast.ts'
import { expect } from '../guide.ts'
import { hasMailbox, mailTo } from '../mailbox.ts'

export interface Person {
  client: Atrium
  id: number
}

/** Somebody who is invited, forgets a password, stops their mail and adds a second factor. @returns that person */
export async function tellPeople(tour: Tour, admin: Atrium, projectId: number): Promise<Person> {
  const { chapter, tell, refused, visitor, signIn, visit, run, password, baseUrl } = tour

  chapter('An invitation')
  const invited = { email: `painter.${run}@example.com`, note: 'Bring a brush.' }
  const sent = await tell(
    'A person is invited.',
    () => admin.createInvitation({ body: invited }),
    201,
    (invitation) => {
      expect(invitation.status === 'pending', 'an invitation that waits')
      return `a link to pass on by hand: ${invitation.acceptUrl.slice(0, -36)}…`
    },
  )
  const again = () => admin.createInvitation({ body: invited })
  await refused('One is enough.', again, [409, 'INVITATION_PENDING'])
  const isMailed = await hasMailbox(baseUrl)
  const arrived = () => mailTo(visit, invited.email, /\/account\/invitation#token=([\w.~-]+)/)
  const said = 'The mail has another one. Whoever has that has shown that the address is theirs.'
  const token = isMailed
    ? (await tell(said, arrived, 200, () => 'a link with a token in its fragment'))[1]!
    : sent.acceptUrl.split('#token=')[1]!
  const preview = () => visitor().previewInvitation({ body: { token } })
  await tell('The page of the link asks what it is about,', preview, 200, { email: invited.email })
  const acceptance = { token, username: `painter.${run}`, nickname: 'Painter', password }
  const accept = () => visitor().acceptInvitation({ body: acceptance })
  await tell('… and makes the account.', accept, 201, { tokenType: 'Bearer' })
  await refused('A link works once.', accept, [404, 'INVITATION_NOT_FOUND'])
  const painter = await signIn('The new person signs in.', acceptance.username)
  const sessions = () => painter.listSessions()
  await tell('Where they are signed in:', sessions, 200, (open) => {
    expect(
      open.length === 2 && open.filter(({ current }) => current).length === 1,
      'two sessions, one of them this one',
    )
    return lines(open, ({ current, ip }) => `${ip}${current ? ', this session' : ''}`)
  })
  await tell(
    'All others are ended.',
    () => painter.endOtherSessions(),
    200,
    () => 'done',
  )
  const profile = { locale: 'en', timeZone: 'Europe/Lisbon' } as const
  const me = await tell(
    'Language and time zone are their own.',
    () => painter.updateProfile({ body: profile }),
    200,
    profile,
  )

  let secret = password
  if (isMailed) {
    chapter('Mail')
    await tell('They join the project,', () => admin.addProjectMember({ id: projectId, userId: me.id }), 200, {})
    const varnish = { title: 'Varnish the bench', assigneeId: me.id }
    const give = () => admin.createTask({ id: projectId, body: varnish })
    await tell('… get a task,', give, 201, { assigneeId: me.id })
    const stop = /\/mail\/unsubscribe\/[\w.~-]+/
    const news = () => mailTo(visit, invited.email, stop)
    const heard = '… and a mail. In development mails go nowhere: they can be read here.'
    const [link] = await tell(heard, news, 200, ([link]) => `a link to stop mails: ${link.slice(0, 24)}…`)
    const off = () => visit(link, { method: 'POST' })
    await tell('One click stops such mails, without a sign-in.', off, 200, () => 'done')
    await tell('They get no more of them.', () => painter.getProfile(), 200, { mail: 'never' })

    chapter('A forgotten password')
    const forgot = (email: string) => () => visitor().requestPasswordReset({ body: { email } })
    await tell(
      'Somebody asks for a link.',
      forgot(invited.email),
      200,
      () => 'no word about whether there is an account',
    )
    await tell('It is the same for an address of nobody.', forgot(`nobody.${run}@example.com`), 200, () => 'no word')
    const mailed = () => mailTo(visit, invited.email, /\/account\/password#token=([\w.~-]+)/)
    const [, reset] = await tell('The link has arrived.', mailed, 200, () => 'a link with a token in its fragment')
    secret = 'a new bench by the river'
    const confirm = () => visitor().confirmPasswordReset({ body: { token: reset!, newPassword: secret } })
    await tell('It sets a new password', confirm, 200, () => 'done')
    await refused('… once,', confirm, [404, 'RESET_NOT_FOUND'])
    await refused('… and ends all sessions.', () => painter.listProjects(), [401, 'UNAUTHENTICATED'])
  }

  chapter('A second factor')
  const credentials = { username: acceptance.username, password: secret }
  await tell('They sign in with the password alone.', () => painter.signIn(credentials), 200, { id: me.id })
  const begin = () => painter.beginSecondFactor({ body: { password: secret } })
  const { secret: seed } = await tell(
    'The key for the app on their phone is shown once.',
    begin,
    200,
    ({ otpauthUrl }) => {
      return `${otpauthUrl.split('secret=')[0]}secret=…`
    },
  )
  const code = (steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(seed) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const turnOn = () => painter.confirmSecondFactor({ body: { code: code() } })
  const { recoveryCodes } = await tell('A code of the app turns it on.', turnOn, 200, ({ recoveryCodes }) => {
    expect(recoveryCodes.length === 10, 'ten recovery codes')
    return 'ten recovery codes, shown once'
  })
  const alone = () => painter.signIn(credentials)
  await refused('The password alone is not enough any more.', alone, [401, 'SECOND_FACTOR_REQUIRED'])
  const next = code(1)
  const both = () => painter.signIn({ ...credentials, code: next })
  await tell('With a code it is,', both, 200, { id: me.id })
  await refused('… and each code works once.', both, [401, 'INVALID_CREDENTIALS'])
  const recover = () => painter.signIn({ ...credentials, code: recoveryCodes[0]! })
  await tell('Who has lost the phone takes a recovery code.', recover, 200, { id: me.id })
  const takeOff = () => painter.removeSecondFactor({ body: { password: secret } })
  await tell('They take it off again.', takeOff, 200, () => 'done')

  chapter('Settings of the tenant')
  const settings = () => admin.getTenantSettings()
  const { version, invitationDays } = await tell('What an administrator decides for all:', settings, 200, (policy) => {
    const { registration, secondFactor, passwordMinLength, sessionDays } = policy
    return `registration ${registration}, second factor ${secondFactor}, passwords of ${passwordMinLength}, sessions of ${sessionDays} days`
  })
  const keep = (stated: number) => () => admin.updateTenantSettings({ body: { invitationDays, version: stated } })
  await tell('A form sends the version that it has read.', keep(version), 200, { invitationDays })
  return { client: painter, id: me.id }
}
