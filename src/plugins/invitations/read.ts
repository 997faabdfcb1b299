import { outgoingMail, type PageRequest, type Scope } from '#atrium'
import type { InvitationStatus } from './invitations.schemas.ts'
import { getInvitation, listInvitations } from './invitations.store.ts'

/** An invitation as it is shown. @throws NOT_FOUND */
export async function readInvitation(scope: Scope, id: number) {
  const found = await getInvitation(scope, { id })
  const [shown] = await withMailStatus(scope, [found])
  return shown!
}

/** A page of invitations as they are shown, the newest first. */
export async function readInvitations(scope: Scope, p: { status?: InvitationStatus }, request: PageRequest) {
  const found = await listInvitations(scope, p, request)
  return { ...found, rows: await withMailStatus(scope, found.rows) }
}

async function withMailStatus<One extends { mailId: number | null }>(scope: Scope, invitations: readonly One[]) {
  const ids = invitations.flatMap(({ mailId }) => mailId ?? [])
  const mails = ids.length ? await outgoingMail.get().listStatuses(scope, { ids }) : []
  const statuses = new Map(mails.map(({ id, status }) => [id, status]))
  return invitations.map(({ mailId, ...one }) => ({
    ...one,
    mailStatus: (mailId !== null && statuses.get(mailId)) || null,
  }))
}
