import type { TenantId } from '../../kernel/actor.ts'
import type { Database } from '../wire/database.ts'
import { type Call, changes, type FlightError, isTimeout, type Result } from '../wire/flight.ts'
import { EXECUTOR, type Executor, type Scope } from './scope.ts'

/**
 * Opens the read handle of a tenant. Each batch of reads is one flight: enter the tenant, then the statements. A costly
 * one leaves by itself, on connections where no short read waits for it; so does a batch that takes too long. What may
 * bring a large answer waits for its turn.
 * @param caller whose costly reads wait for each other: a person or an address; by default all of the tenant's
 */
export function openScope(database: Database, tenantId: TenantId, caller: string | number = ''): Scope {
  return { tenantId, [EXECUTOR]: readExecutor(database, caller) }
}

/** A handle of no tenant, for the shared tables; row security shows it nothing else. */
export function sharedScope(database: Database): Scope {
  return openScope(database, 0)
}

interface Waiting {
  call: Call
  resolve: (result: Result) => void
  reject: (error: Error) => void
}

function readExecutor(database: Database, caller: string | number): Executor {
  let batch: Waiting[] = []

  function send(tenantId: TenantId) {
    const sent = batch
    batch = []
    const calls = sent.map(({ call }) => call)
    database
      .send([database.entering(tenantId, 'shared'), ...calls])
      .catch((error: FlightError) => (isTimeout(error) ? search(tenantId, calls) : Promise.reject(error)))
      .then(
        (results) => {
          for (let at = 0; at < sent.length; at++) sent[at]!.resolve(results[at + 1]!)
        },
        (error) => {
          for (const waiting of sent) waiting.reject(error)
        },
      )
  }

  function search(tenantId: TenantId, calls: readonly Call[]): Promise<Result[]> {
    return database.search([database.entering(tenantId, 'search'), ...calls], { group: tenantId, member: caller })
  }

  function ask(tenantId: TenantId, call: Call): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (batch.push({ call, resolve, reject }) === 1) queueMicrotask(() => send(tenantId))
    })
  }

  return {
    async run(tenantId, call) {
      const { costly, large, text } = call.prepared
      if (changes(call)) throw new Error(`a read handle neither locks nor changes: ${text}`)
      if (costly) return (await search(tenantId, [call]))[1]!
      if (large) return database.inTurn({ group: tenantId, member: caller }, () => ask(tenantId, call))
      return ask(tenantId, call)
    },
    queue() {
      throw new Error('a read handle does not write')
    },
  }
}
