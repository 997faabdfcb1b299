import { newcomer } from '../../../../tools/tour/cast.ts'
import { hasMailbox, mailTo } from '../../../../tools/tour/mailbox.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** An address that is confirmed, and a password that is forgotten. */
const part: Part = {
  shows: 'The link has arrived.',
  async tell(tour, { admin }) {
    const { chapter, tell, refused, visitor, visit, run, password, baseUrl } = tour
    if (!(await hasMailbox(baseUrl))) return
    chapter("An address of one's own")
    const { client: painter, username } = await newcomer(tour, admin, 'forgetful')
    const email = `${username}@example.com`
    const change = () => painter.updateProfile({ body: { email, currentPassword: password } })
    await tell('A new address waits for a click.', change, 200, { pendingEmail: email })
    const asked = () => mailTo(visit, email, /\/account\/email#token=([\w.~-]+)/)
    const [, proof] = await tell('The link is mailed to it', asked, 200, () => 'a link with a token in its fragment')
    const proven = () => visitor().confirmEmail({ body: { token: proof! } })
    await tell('… and shows that somebody reads what is sent there.', proven, 200, () => 'done')

    chapter('A forgotten password')
    const forgot = (email: string) => () => visitor().requestPasswordReset({ body: { email } })
    await tell('Somebody asks for a link.', forgot(email), 200, () => 'no word about whether there is an account')
    await tell('It is the same for an address of nobody.', forgot(`nobody.${run}@example.com`), 200, () => 'no word')
    const mailed = () => mailTo(visit, email, /\/account\/password#token=([\w.~-]+)/)
    const [, reset] = await tell('The link has arrived.', mailed, 200, () => 'a link with a token in its fragment')
    const secret = 'a new bench by the river'
    const confirm = () => visitor().confirmPasswordReset({ body: { token: reset!, newPassword: secret } })
    await tell('It sets a new password', confirm, 200, () => 'done')
    await refused('… once,', confirm, [404, 'RESET_NOT_FOUND'])
    await refused('… and ends all sessions.', () => painter.listProjects(), [401, 'UNAUTHENTICATED'])
  },
}
export default part
