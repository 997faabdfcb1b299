import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, type JobHost, type TenantId, type Work, whenIdle } from '#atrium'
import { onEvents } from '#plugins/events'
import { indexNext, isBehind } from './indexing.ts'

/** A tenant is read so many ms after an event, so that those of the moment share the work. */
const TOGETHER_MS = 250
/** After each batch, requests have the database to themselves for this many times its duration. */
const REST = 2
/** Batches that a signal reads; the next sweep does the others. */
const MOST_BATCHES = 50

/**
 * Keeps the index of every tenant as its event log is, beside requests. It reads soon after an event; a sweep finds what a
 * killed process has not read, and builds what the index lacks from before.
 */
export const indexing: Job = { name: 'the index of the search', every: 1000, open }

function open({ database }: JobHost): Work {
  const due = new Set<TenantId>()
  let isOver = false

  function readSoon(tenantId: TenantId): void {
    if (due.has(tenantId) || isOver) return
    due.add(tenantId)
    setTimeout(() => {
      due.delete(tenantId)
      read(tenantId).catch((error) => database.log.warn({ err: String(error), tenantId }, FAILED))
    }, TOGETHER_MS).unref()
  }

  async function read(tenantId: TenantId): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES && !isOver; batch++) {
      await whenIdle(database)
      const start = performance.now()
      if (!(await indexNext(database, tenantId))) return
      await sleep(REST * (performance.now() - start), undefined, { ref: false })
    }
  }

  const stopListening = onEvents(database, readSoon)
  return {
    inTenants: { failed: FAILED, where: isBehind, rest: REST },
    work: ({ tenantId }) => indexNext(database, tenantId),
    close() {
      isOver = true
      stopListening()
    },
  }
}

const FAILED = 'the index of the search could not be brought up to date'
