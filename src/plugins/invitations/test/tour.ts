import { expect } from '../../../../tools/tour/guide.ts'
import { hasMailbox, mailTo } from '../../../../tools/tour/mailbox.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** Somebody is invited, by a link and by mail. */
const part: Part = {
  shows: 'A link works once.',
  async tell({ chapter, tell, refused, visitor, signIn, visit, run, password, baseUrl }, cast) {
    chapter('An invitation')
    const invited = { email: `painter.${run}@example.com`, note: 'Bring a brush.' }
    const invite = () => cast.admin.createInvitation({ body: invited })
    const sent = await tell('A person is invited.', invite, 201, ({ status, acceptUrl }) => {
      expect(status === 'pending', 'an invitation that waits')
      return `a link to pass on by hand: ${acceptUrl.slice(0, -36)}…`
    })
    await refused('One is enough.', invite, [409, 'INVITATION_PENDING'])
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
    const me = await painter.getMe()
    cast.invited = { client: painter, id: me.id, email: invited.email }
  },
}
export default part
