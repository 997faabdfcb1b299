import type { TenantId } from '../../kernel/actor.ts'
import type { Database } from '../wire/database.ts'
import { changes, type FlightError, isTimeout } from '../wire/flight.ts'
import { flightOf, openQueue, type Queued, refuse } from './queue.ts'
import { EXECUTOR, type Executor, type Scope } from './scope.ts'

/**
 * Opens the read handle of a tenant. A costly statement leaves by itself, on connections where no short read waits for
 * it; so does a flight that takes too long. A statement whose answer may be large waits for its turn.
 * @param caller whose costly reads wait for each other: a person or an address; by default all of the tenant's
 */
export function openScope(database: Database, tenantId: TenantId, caller: string | number = ''): Scope {
  return { tenantId, [EXECUTOR]: reader(database, tenantId, caller) }
}

/** Opens the read handles of some tenants of one server. What is asked of them in one turn of the loop is one flight. */
export function openScopes(database: Database, tenantIds: readonly TenantId[]): Scope[] {
  const executor = reader(database, tenantIds[0] ?? 0, '')
  return tenantIds.map((tenantId) => ({ tenantId, [EXECUTOR]: executor }))
}

/** A handle of no tenant, for the shared tables; row security shows it nothing else. */
export function sharedScope(database: Database): Scope {
  return openScope(database, 0)
}

function reader(database: Database, tenantId: TenantId, caller: string | number): Executor {
  const who = { group: tenantId, member: caller }
  const queue = openQueue((statements) => void read(statements))

  async function read(statements: Queued[]): Promise<void> {
    const flight = flightOf(statements, { enter: (tenant) => database.entering(tenant, 'shared') })
    await database.send(tenantId, flight.calls).then(flight.answer, (error: FlightError) => {
      if (isTimeout(error)) return search(statements)
      refuse(statements, error)
    })
  }

  async function search(statements: Queued[]): Promise<void> {
    const flight = flightOf(statements, { enter: (tenant) => database.entering(tenant, 'search') })
    await database.search(tenantId, flight.calls, who).then(flight.answer, (error) => refuse(statements, error))
  }

  return {
    async run(tenant, call) {
      const { costly, large, text } = call.prepared
      if (changes(call)) throw new Error(`a read handle neither locks nor changes: ${text}`)
      if (costly) return new Promise((resolve, reject) => search([{ tenantId: tenant, call, resolve, reject }]))
      if (large) return database.inTurn(who, () => queue.ask(tenant, call))
      return queue.ask(tenant, call)
    },
  }
}
