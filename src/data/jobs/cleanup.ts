import { setTimeout as sleep } from 'node:timers/promises'
import { type System, system, type TenantId } from '../../kernel/actor.ts'
import type { Tx } from '../tx/scope.ts'
import { transact } from '../tx/transact.ts'
import type { Database } from '../wire/database.ts'
import { inEveryTenant } from './every-tenant.ts'
import type { Job } from './job.ts'

/** It is entered at the coordinator of a cluster. */
const NO_TENANT: TenantId = 0

/** One kind of rows that are removed when they have expired. */
export interface CleanupJob {
  /** what is removed, as the log names it */
  what: string
  /** The rows belong to no tenant: they are removed once on each server, not once in each tenant. */
  ofServers?: true
  /** Removes at most `most` rows of the transaction's tenant, and skips locked ones. @returns how many */
  remove(tx: Tx<System>, most: number): Promise<number>
}

/** Removes rows by a statement that removes at most `most` of them. @param what they are, as the log names them */
export function removing(
  what: string,
  statement: (tx: Tx<System>, p: { most: number }) => Promise<{ affected: number }>,
): CleanupJob {
  return { what, remove: async (tx, most) => (await statement(tx, { most })).affected }
}

/**
 * Runs the jobs in every tenant, batch by batch; after each the database rests for as long as it worked. A failure in
 * one tenant is logged and does not delay the others. Several replicas may run this at the same time.
 * @param most rows removed in one transaction, so that no lock is held for long
 * @returns how many rows were removed, by job
 */
export async function runCleanup(
  database: Database,
  jobs: readonly CleanupJob[],
  { most = 1000, stopping }: { most?: number; stopping?: AbortSignal } = {},
): Promise<Record<string, number>> {
  const removed = Object.fromEntries(jobs.map(({ what }) => [what, 0]))
  for (const job of jobs) {
    const failed = `${job.what} could not be removed`
    const walk = { failed, rest: 1 }
    if (job.ofServers)
      for (const server of [database, ...database.nodes()])
        await finish(server, job).catch((error) => database.log.warn({ err: String(error) }, failed))
    else while (await inEveryTenant(database, walk, ({ tenantId }) => removeSome(database, tenantId, job), stopping));
  }
  if (Object.values(removed).some(Boolean)) database.log.info({ removed }, 'expired rows were removed')
  return removed

  async function finish(server: Database, job: CleanupJob): Promise<void> {
    while (!stopping?.aborted) {
      const start = performance.now()
      if (!(await removeSome(server, NO_TENANT, job))) return
      await sleep(performance.now() - start, undefined, { ref: false, signal: stopping }).catch(() => {})
    }
  }

  /** @returns true if there may be more */
  async function removeSome(server: Database, tenantId: TenantId, job: CleanupJob): Promise<boolean> {
    const command = { tenantId, actor: system, requestId: 'cleanup' }
    const count = await transact(server, command, (tx) => job.remove(tx, most))
    removed[job.what]! += count
    return count === most
  }
}

const HOUR_MS = 3600_000

/** Cleans up every hour, first a minute after the start. */
export function cleanup(jobs: readonly CleanupJob[]): Job {
  return {
    name: 'expired rows',
    every: HOUR_MS,
    first: 60_000,
    run: ({ database }, stopping) => runCleanup(database, jobs, { stopping }),
  }
}
