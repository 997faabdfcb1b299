import { drawToken, hashToken } from '#atrium'
import { type Dependent, MOST_HANDED_OVER } from '#atrium/people'
import { listWaitingOf, passInvitation, withdrawAllOf } from './invitations.store.ts'

/**
 * Invitations that nobody has accepted, as what their senders are responsible for. Nobody stays because of them: they end
 * with their sender, unless another person takes over those that they could send themselves.
 */
export const invitationsOfPerson: Dependent = {
  columns: ['invitations.invitedById'],
  work: {
    kind: 'invitations',
    example: 1,
    list: listWaitingOf,
    async handOver(tx, from, to) {
      const passed = await listWaitingOf(tx, { userId: from, heir: to, most: MOST_HANDED_OVER })
      for (const { id } of passed) {
        passInvitation(tx, { id, invitedById: to, tokenHash: hashToken(drawToken(tx.tenantId)) })
        tx.record({ event: 'invitation.handed_over', subject: id, data: { from, to } })
      }
      if (passed.length > 0)
        tx.notify({
          type: 'INVITATIONS_HANDED_OVER',
          facts: { count: String(passed.length) },
          resourceType: 'user',
          resourceId: to,
          receivers: [to],
        })
      return passed.length
    },
  },
  async end(tx, p) {
    const { rows } = await withdrawAllOf(tx, p)
    for (const { id } of rows) tx.record({ event: 'invitation.withdrawn', subject: id, data: {} })
  },
}
