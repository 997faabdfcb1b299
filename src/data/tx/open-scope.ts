import type { TenantId } from '../../kernel/actor.ts'
import type { Database } from '../wire/database.ts'
import { type Call, changes, type Result } from '../wire/flight.ts'
import { EXECUTOR, type Executor, type Scope } from './scope.ts'

/** Opens the read handle of a tenant. Each batch of reads is one flight: enter the tenant, then the statements. */
export function openScope(database: Database, tenantId: TenantId): Scope {
  return { tenantId, [EXECUTOR]: readExecutor(database) }
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

function readExecutor(database: Database): Executor {
  let batch: Waiting[] = []
  let tenant = 0

  function send() {
    const sent = batch
    batch = []
    const calls = [database.entering(tenant, 'shared')]
    for (const waiting of sent) calls.push(waiting.call)
    database.send(calls).then(
      (results) => {
        for (let at = 0; at < sent.length; at++) sent[at]!.resolve(results[at + 1]!)
      },
      (error) => {
        for (const waiting of sent) waiting.reject(error)
      },
    )
  }

  return {
    run(tenantId, call) {
      if (changes(call)) throw new Error(`a read handle neither locks nor changes: ${call.prepared.text}`)
      tenant = tenantId
      return new Promise((resolve, reject) => {
        if (batch.push({ call, resolve, reject }) === 1) queueMicrotask(send)
      })
    },
    queue() {
      throw new Error('a read handle does not write')
    },
  }
}
