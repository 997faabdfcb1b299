import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, findUnnumbered, type Listing, numberAll, type Scope } from '#atrium'
import { listEvents, type StoredEvent } from './events.store.ts'

/** Which events of a tenant: after an id, of some types or of all, at most so many. */
interface Wanted {
  after: number
  types?: readonly string[] | undefined
  most: number
}

/**
 * Reads the events after an id, the oldest first. Everything that was committed before the call is among them, if there is
 * room, and if no other process keeps the turn for long: events without ids get theirs first. No event with a lower id
 * appears later.
 */
export async function readEvents(database: Database, scope: Scope, wanted: Wanted): Promise<Listing<StoredEvent>> {
  // One after the other: what another process numbers between the two would be missing from both.
  if (await findUnnumbered(scope, {})) await numberAll(database, scope.tenantId)
  const { after, types, most } = wanted
  const filter = types ? { types: [...types] } : {}
  return listEvents(scope, filter, { limit: most, before: undefined, after, counted: false })
}

/** The longest pause between two looks: if signals of other processes do not arrive, and if they do but one was lost. */
const POLL_MS = { blind: 1000, signalled: 5000 }

/**
 * Reads as above; if there is nothing yet, reads again whenever there may be, until the patience is over.
 * @param until ms on the monotonic clock
 */
export async function awaitEvents(
  database: Database,
  scope: Scope,
  wanted: Wanted,
  until: number,
  patience: { readonly isOver: boolean; onEnd(listener: () => void): void },
): Promise<Listing<StoredEvent>> {
  let wake = new AbortController()
  // From before the first look: an event after it is not missed.
  const unsubscribe = database.eventSignal.subscribe((tenantId) => {
    if (tenantId === scope.tenantId) wake.abort()
  })
  patience.onEnd(() => wake.abort())
  try {
    for (;;) {
      const { signal } = wake
      const page = await readEvents(database, scope, wanted)
      const left = until - performance.now()
      if (page.rows.length > 0 || page.next || left <= 0 || patience.isOver) return page
      const pause = database.eventSignal.isConnected() ? POLL_MS.signalled : POLL_MS.blind
      await sleep(Math.min(left, pause), undefined, { signal, ref: false }).catch(() => {})
      if (patience.isOver) return page
      wake = new AbortController()
    }
  } finally {
    unsubscribe()
  }
}
