import { setTimeout as sleep } from 'node:timers/promises'
import { type System, system, type TenantId } from '../../kernel/actor.ts'
import { openRoom } from '../../util/shares/room.ts'
import { whileNeeded } from '../../util/while-needed.ts'
import type { Scope, Tx } from '../tx/scope.ts'
import { transact } from '../tx/transact.ts'
import type { Database } from '../wire/database.ts'
import { isUnavailable } from '../wire/unavailable.ts'
import type { WorkInTenants } from './job.ts'

/** Rows that wait in the tenants until something outside has taken them: mails, deliveries of webhooks. */
export interface WaitingRows<Item, Outcome> {
  /** as the log names them: mails */
  what: string
  /** how many are worked on at the same time; at most half of these for one tenant */
  most: number
  /** Whether a tenant may have some that are due. */
  isDue(scope: Scope): Promise<boolean>
  /** Leases at most `most` that are due for 15 seconds. */
  take(tenantId: TenantId, most: number): Promise<readonly Item[]>
  /** Works on one; the signal ends it when the process stops. It never rejects. */
  attempt(tenantId: TenantId, item: Item, ending: AbortSignal): Promise<Outcome>
  /** Writes down how it ended. @returns the ms after which the tenant has something due again; undefined if nobody knows */
  settle(tenantId: TenantId, item: Item, outcome: Outcome): Promise<number | undefined>
  /** Prolongs the leases of those that are worked on. */
  hold(tenantId: TenantId, items: readonly Item[]): Promise<unknown>
}

/** Its runs find the rows of processes that were killed before their commit was signalled, and those whose pause is over. */
export interface LeasedWork extends WorkInTenants {
  /** The tenant may have something due: it is looked at when its turn has come. */
  giveTurn(tenantId: TenantId): void
  /** Takes no more rows, and waits a little for those that are worked on. */
  close(): Promise<void>
}

/** Well within the lease. */
const BEAT_MS = 5000
const FAREWELL_MS = 4000
/** Rows of one take; while it is under way, its room is kept from other tenants. */
const MOST_OF_TAKE = 8
const UNMARKED_MS = 1000
/** The clock of the database may be behind ours. */
const LATER_MS = 50
const IDLE_LOOK_MS = 1
/** A busy service does its background work too. */
const LONGEST_WAIT_MS = 20
/** Later ones are found by the sweep. */
const LONGEST_TIMER_MS = 900_000

/**
 * Works on what waits in all tenants, which take turns. A row is leased for 15 seconds, and a heartbeat prolongs that while
 * it is worked on, so a killed process keeps it no longer.
 */
export function openLeasedWork<Item, Outcome>(database: Database, rows: WaitingRows<Item, Outcome>): LeasedWork {
  const { log } = database
  const { what, most } = rows
  const room = openRoom(most)
  /** tenants that may have something due, by whose turn is next */
  const turns = new Set<TenantId>()
  const taking = new Set<TenantId>()
  const inHand = new Map<TenantId, Set<Item>>()
  const ending = new AbortController()
  let isStopping = false

  const heartbeat = whileNeeded(BEAT_MS, () => inHand.size > 0, hold)

  function giveTurn(tenantId: TenantId): void {
    turns.add(tenantId)
    startTurns()
  }

  function startTurns(): void {
    for (const tenantId of turns) {
      if (isStopping || room.free === 0) return
      const places = Math.min(MOST_OF_TAKE, room.left(tenantId))
      if (places === 0 || taking.has(tenantId)) continue
      turns.delete(tenantId)
      void takeTurn(tenantId, places)
    }
  }

  /** Takes at most so many rows. If there may be more, the tenant goes to the end of the line. */
  async function takeTurn(tenantId: TenantId, places: number): Promise<void> {
    taking.add(tenantId)
    room.take(tenantId, places)
    const items = await take(tenantId, places)
    taking.delete(tenantId)
    room.giveBack(tenantId, places - items.length)
    if (items.length === places) turns.add(tenantId)
    for (const item of items) void work(tenantId, item)
    startTurns()
  }

  async function take(tenantId: TenantId, places: number): Promise<readonly Item[]> {
    try {
      await whenIdle(database)
      return await rows.take(tenantId, places)
    } catch (error) {
      log.warn({ err: String(error), tenantId }, `${what} could not be taken; the next sweep tries again`)
      return []
    }
  }

  async function work(tenantId: TenantId, item: Item): Promise<void> {
    const held = inHand.get(tenantId) ?? new Set()
    inHand.set(tenantId, held.add(item))
    heartbeat.start()
    await whenIdle(database)
    const outcome = await rows.attempt(tenantId, item, ending.signal)
    await settle(tenantId, item, outcome)
    held.delete(item)
    if (held.size === 0) inHand.delete(tenantId)
    room.giveBack(tenantId)
    startTurns()
  }

  /** While the database is away it tries again, so that nothing is done twice for it. */
  async function settle(tenantId: TenantId, item: Item, outcome: Outcome): Promise<void> {
    for (;;)
      try {
        const pauseMs = await rows.settle(tenantId, item, outcome)
        if (pauseMs === 0) turns.add(tenantId)
        // A busy sweep comes late.
        else if (pauseMs !== undefined && pauseMs <= LONGEST_TIMER_MS)
          setTimeout(() => giveTurn(tenantId), pauseMs + LATER_MS).unref()
        return
      } catch (error) {
        const isOver = ending.signal.aborted || !isUnavailable(error as Error)
        if (isOver)
          return log.error({ err: String(error), tenantId }, `the outcome of one of the ${what} is not written down`)
        await sleep(UNMARKED_MS, undefined, { ref: false })
      }
  }

  async function hold(): Promise<void> {
    for (const [tenantId, held] of inHand) await rows.hold(tenantId, [...held]).catch(() => {})
  }

  return {
    inTenants: { failed: `nobody knows whether ${what} are due`, where: rows.isDue },
    work: async ({ tenantId }) => giveTurn(tenantId),
    giveTurn,
    async close() {
      isStopping = true
      const end = performance.now() + FAREWELL_MS
      while (room.free < most && performance.now() < end) await sleep(20)
      ending.abort()
      while (room.free < most && performance.now() < end + UNMARKED_MS) await sleep(20)
      heartbeat.stop()
    },
  }
}

/**
 * Runs a transaction that marks what was taken or done. If the mark is lost, because the machine of PostgreSQL loses power
 * within a second, it is taken and done again. @param requestId what its records name as their request
 */
export function markInTenant<T>(
  database: Database,
  tenantId: TenantId,
  requestId: string,
  action: (tx: Tx<System>) => Promise<T>,
): Promise<T> {
  return transact(database, { tenantId, actor: system, requestId, mayBeLost: true }, action)
}

/**
 * Waits until nothing is pending in the database, at most 20 ms: requests go before a step of background work.
 * @returns false if something still is
 */
export async function whenIdle(database: Database): Promise<boolean> {
  const end = performance.now() + LONGEST_WAIT_MS
  while (isBusy(database) && performance.now() < end) await sleep(IDLE_LOOK_MS, undefined, { ref: false })
  return !isBusy(database)
}

function isBusy(database: Database): boolean {
  const { pending, leased } = database.stats()
  return pending > 0 || leased > 0
}
