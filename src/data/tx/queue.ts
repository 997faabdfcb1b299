import type { TenantId } from '../../kernel/actor.ts'
import type { Fault } from '../../kernel/fault.ts'
import { type Call, constraintOf, type FlightError, type Result } from '../wire/flight.ts'
import type { Terms } from './scope.ts'

/** A statement that waits to leave. */
export interface Queued {
  readonly tenantId: TenantId
  readonly call: Call
  readonly terms?: Terms | undefined
  /** absent if no one waits for its answer */
  readonly resolve?: (result: Result) => void
  readonly reject?: (error: Error) => void
}

/**
 * The queue of statements of one scope or one transaction. Statements that are added in one turn of the loop leave
 * together at its end; one that no one waits for leaves with the next that is awaited, or when it is taken.
 *
 * @param leave is called at the end of a turn in which a statement was awaited
 */
export function openQueue(leave: (statements: Queued[]) => void) {
  let waiting: Queued[] = []
  let isTurnOver = true

  function take(): Queued[] {
    const taken = waiting
    waiting = []
    return taken
  }

  function put(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result> {
    return new Promise((resolve, reject) => waiting.push({ tenantId, call, terms, resolve, reject }))
  }

  return {
    waiting: () => waiting as readonly Queued[],
    take,
    /** Queues a statement that leaves with the next flight. */
    add: (statement: Queued) => void waiting.push(statement),
    /** Queues a statement, and waits for its answer. */
    ask(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result> {
      const answer = put(tenantId, call, terms)
      if (!isTurnOver) return answer
      isTurnOver = false
      queueMicrotask(() => {
        isTurnOver = true
        leave(take())
      })
      return answer
    },
    /** Queues a statement that leaves with the next flight, and answers with it. */
    askLater(tenantId: TenantId, call: Call, terms?: Terms): Promise<Result> {
      const answer = put(tenantId, call, terms)
      // If that flight fails, so does its transaction, and nobody may be waiting for this answer.
      answer.catch(() => {})
      return answer
    },
  }
}

interface FlightOptions {
  /** the statement that enters a tenant */
  enter(tenantId: TenantId): Call
  /** the tenant that the connection is in already */
  inside?: TenantId | undefined
  /** what the flight begins with */
  first?: readonly Call[]
}

/** Puts statements into one flight, which enters the tenant of each. */
export function flightOf(statements: readonly Queued[], { enter, inside, first = [] }: FlightOptions) {
  const calls = [...first]
  const places: number[] = []
  let tenantId = inside
  for (const statement of statements) {
    if (statement.tenantId !== tenantId) calls.push(enter(statement.tenantId))
    tenantId = statement.tenantId
    places.push(calls.length)
    calls.push(statement.call)
  }
  return {
    calls,
    /** the tenant that the connection is in after it */
    tenantId,
    /** Gives each statement its part of the flight's results. */
    answer(results: readonly Result[]): void {
      for (const [at, { resolve }] of statements.entries()) resolve?.(results[places[at]!]!)
    },
    /** The fault that the failed statement declares for the violated constraint. */
    faultOf(error: FlightError): Fault | undefined {
      const { conflicts } = statements[places.indexOf(error.statement ?? -1)]?.terms ?? {}
      return conflicts?.[constraintOf(error) ?? '']?.()
    },
  }
}

/** Rejects for everyone who waits for one of the statements. */
export function refuse(statements: readonly Queued[], reason: Error): void {
  for (const { reject } of statements) reject?.(reason)
}
