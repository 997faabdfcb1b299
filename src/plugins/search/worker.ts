import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, type JobHost, type TenantId, type Work, whenIdle } from '#atrium'
import { indexNext, isBehind } from './indexing.ts'

/** A tenant is read so many ms after an event, so that those of the moment share the work. */
const TOGETHER_MS = 250
/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 2
/** Likewise while there are many requests and the index takes what is from before its events; news wait no longer. */
const LONG_REST = 20
const LONGEST_REST_MS = 1000
/** Batches that a signal reads; the next sweep does the others. */
const MOST_BATCHES = 50

/**
 * Keeps the index of every tenant as its event log is, beside requests. It reads soon after an event; a sweep finds what a
 * killed process has not read, and builds what the index lacks from before.
 */
export const indexing: Job = { name: 'the index of the search', every: 1000, open }

function open({ database }: JobHost): Work {
  /** tenants that are being read, or will be in a moment */
  const reading = new Set<TenantId>()
  /** those of them in which something has happened since */
  const wanted = new Set<TenantId>()
  let isOver = false

  async function readSoon(tenantId: TenantId): Promise<void> {
    wanted.add(tenantId)
    if (reading.has(tenantId)) return
    reading.add(tenantId)
    while (wanted.has(tenantId) && !isOver) {
      await sleep(TOGETHER_MS, undefined, { ref: false })
      wanted.delete(tenantId)
      await read(tenantId).catch((error) => database.log.warn({ err: String(error), tenantId }, FAILED))
    }
    reading.delete(tenantId)
  }

  async function read(tenantId: TenantId): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES && !isOver; batch++) if (!(await readBatch(tenantId))) return
  }

  /** @returns true if there is more */
  async function readBatch(tenantId: TenantId, stopping?: AbortSignal): Promise<boolean> {
    const isIdle = await whenIdle(database)
    const start = performance.now()
    const more = await indexNext(database, tenantId)
    if (!more) return false
    const rest = more === 'news' || isIdle ? REST : LONG_REST
    const pause = Math.min(rest * (performance.now() - start), LONGEST_REST_MS)
    await sleep(pause, undefined, { ref: false, ...(stopping && { signal: stopping }) }).catch(() => {})
    return true
  }

  const stopListening = database.eventSignal.subscribe((tenantId) => void readSoon(tenantId))
  return {
    inTenants: { failed: FAILED, where: isBehind },
    work: async ({ tenantId }, _, stopping) => !reading.has(tenantId) && readBatch(tenantId, stopping),
    close() {
      isOver = true
      stopListening()
    },
  }
}

const FAILED = 'the index of the search could not be brought up to date'
