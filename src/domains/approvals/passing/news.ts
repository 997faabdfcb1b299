import type { NotificationType, Tx } from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import type { Approval } from '../approvals.rules.ts'
import { type Decider, peopleAmong } from '../deciders.rules.ts'

type Request = Pick<Approval, 'id' | 'title'>
type News = Extract<NotificationType, `APPROVAL_${string}`>

/** Notifies those who decide requests, even the actor if they decide next. */
export async function tellDeciders(
  tx: Tx<any>,
  news: readonly { approval: Request; deciders: Decider[] }[],
  type: News = 'APPROVAL_PENDING',
): Promise<void> {
  const administrators = news.some(({ deciders }) => deciders.includes('administrators'))
    ? await administratorIds(tx)
    : []
  for (const { approval, deciders } of news) tell(tx, type, approval, peopleAmong(deciders, administrators))
}

/** The active administrators. */
export async function administratorIds(tx: Tx<any>): Promise<number[]> {
  return (await listAdministratorIds(tx, {})).map(({ id }) => id)
}

/** Notifies people of a request; of one that waits for their decision, even the actor. */
export function tell(tx: Tx<any>, type: News, { id, title }: Request, receivers: readonly number[]): void {
  const actorToo = type === 'APPROVAL_PENDING'
  tx.notify({ type, facts: { title }, resourceType: 'approval', resourceId: id, receivers, actorToo })
}
