import {
  type Config,
  type Database,
  inEveryTenant,
  type Scope,
  startSweep,
  system,
  type TenantId,
  transact,
} from '#atrium'
import { findResetRequest } from './account.store.ts'
import { answerReset } from './resets.actions.ts'

/** Answers requests for new passwords, after their responses. */
export interface ResetWorker {
  /** Answers those of a tenant soon. */
  wake(tenantId: TenantId): void
  stop(): Promise<void>
}

const MINUTE_MS = 60_000
/** Long after the response, and at no fixed time, so that nobody can tell from the next one what this one costs. */
const LATEST_MS = 400
const UNANSWERED = 'requests for new passwords were not answered yet'

/** @param sweeps whether this process answers what killed ones have left */
export function startResetWorker(database: Database, config: Config, sweeps: boolean): ResetWorker {
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const sweep = sweeps
    ? startSweep(database, { what: 'requests for new passwords', pause: MINUTE_MS, first: 3000 }, answerAll)
    : undefined

  let isStopped = false

  function answerAll(stopping: AbortSignal) {
    const where = async (scope: Scope) => (await findResetRequest(scope, {})) !== undefined
    return inEveryTenant(database, { failed: UNANSWERED, where, stopping }, ({ tenantId }) => answerOne(tenantId))
  }

  /** @returns whether there was one */
  function answerOne(tenantId: TenantId): Promise<boolean> {
    return transact(database, { tenantId, actor: system, requestId: 'resets' }, (tx) => answerReset(tx, config))
  }

  async function answer(tenantId: TenantId) {
    while (!isStopped && (await answerOne(tenantId)));
  }

  return {
    wake(tenantId) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        const work = answer(tenantId)
          .catch((error) => database.log.warn({ err: String(error), tenantId }, UNANSWERED))
          .finally(() => running.delete(work))
        running.add(work)
      }, LATEST_MS * Math.random())
      timers.add(timer)
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([...running, sweep?.stop()])
    },
  }
}
