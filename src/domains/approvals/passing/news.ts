import type { Tx } from '#atrium'
import { listAdministratorIds } from '#atrium/roles'
import { type Decider, peopleAmong } from '../deciders.rules.ts'

/** Something that waits for a decision. */
interface Pending {
  id: number
  title: string
}

/** Notifies those who decide next, even the actor. */
export async function tellDeciders(tx: Tx<any>, news: readonly { pending: Pending; deciders: Decider[] }[]) {
  const administrators = news.some(({ deciders }) => deciders.includes('administrators'))
    ? await administratorIds(tx)
    : []
  for (const { pending, deciders } of news) tellPending(tx, pending, peopleAmong(deciders, administrators))
}

/** The active administrators. */
export async function administratorIds(tx: Tx<any>): Promise<number[]> {
  return (await listAdministratorIds(tx, {})).map(({ id }) => id)
}

/** Notifies people of a request that waits for their decision, even the actor. */
export function tellPending(tx: Tx<any>, { id, title }: Pending, receivers: readonly number[]): void {
  tx.notify({
    type: 'APPROVAL_PENDING',
    facts: { title },
    resourceType: 'approval',
    resourceId: id,
    receivers,
    actorToo: true,
  })
}
