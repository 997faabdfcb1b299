import { list, type Tx } from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import { accountLink, sendsLinks } from '#plugins/links'
import type { Part } from '../../../demo/parts.ts'
import { findInvited, invite, makeMember } from './invitations.actions.ts'

const listInvitations = list((from, _: object) => from('invitations').select('invitations.email'))

const part: Part<{ invitations: Set<string | null> }> = {
  ways: {
    invite: {
      // Invitations are removed in time, and the person stays.
      left: ({ email, becomes }, { invitations, users }) =>
        invitations.has(email) || (becomes !== null && users.has(becomes)),
      act: (tx, { email, note, into, daysAgo }, { the, office: { config } }) => {
        const draft = { email, note, departmentId: the(`department ${into}`).id, roleIds: undefined }
        const linkTo = (token: string) => accountLink(config, 'invitation', token, `http://localhost:${config.port}`)!
        // A mail of long ago has left.
        return invite(tx, draft, { shown: linkTo, mailed: daysAgo === 0 && sendsLinks(config) ? linkTo : undefined })
      },
    },
    'accept invitation': {
      left: ({ username }, { users }) => users.has(username),
      async act(tx: Tx<any>, { email, username, name }, { office: { passwordHash } }) {
        const invited = (await findInvited(tx, email))!
        const person = { username, nickname: name, passwordHash, emailVerifiedAt: tx.now }
        await makeMember(tx, invited, person, await listAdministratorIds(tx, {}))
      },
    },
  },
  async findMade(scope) {
    return { invitations: new Set((await listInvitations(scope, {})).map(({ email }) => email)) }
  },
}
export default part
