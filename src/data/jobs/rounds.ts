import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantId } from '../../kernel/actor.ts'
import { sharedRuns } from '../../util/shared-runs.ts'
import type { Database } from '../wire/database.ts'
import type { Call } from '../wire/flight.ts'

/** What a round answers: whether this process had its turn in the tenant, and how much it has worked on. */
export interface Round {
  mine: boolean
  taken: number
}

/**
 * Work of which one process at a time does a batch in a tenant, in one flight on a shared connection: entered, done and
 * committed in one round trip. Callers in this process during a round share the next one, which begins after their call.
 * @param round the statement that does a batch
 * @param waits how often to wait for another process that has its turn, and the most ms of each wait
 * @param hear is given the answer of each round
 * @returns a round; true if there may be more than fits into it, or another process would not give up its turn
 */
export function roundsOf<Answer extends Round>(
  round: (tenantId: TenantId, p: { batch: number }) => Call,
  batch: number,
  waits: { times: number; ms: number },
  hear?: (database: Database, tenantId: TenantId, answer: Answer) => void,
) {
  async function run(database: Database, tenantId: TenantId): Promise<boolean> {
    for (let time = 0; time < waits.times; time++) {
      const calls = [database.entering(tenantId, 'shared'), round(tenantId, { batch })]
      const [, result] = await database.send(tenantId, calls)
      const answer = result!.rows[0] as unknown as Answer
      hear?.(database, tenantId, answer)
      if (answer.mine) return answer.taken === batch
      await sleep(Math.random() * waits.ms)
    }
    return true
  }

  const shared = new WeakMap<Database, (tenantId: TenantId) => Promise<boolean>>()
  return (database: Database, tenantId: TenantId): Promise<boolean> => {
    const next = shared.get(database) ?? sharedRuns((tenantId: TenantId) => run(database, tenantId))
    shared.set(database, next)
    return next(tenantId)
  }
}
