import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, type FlightError, isEntrance, SERIALIZATION_FAILURE, type Server, Unavailable } from '#atrium'
import { type Send, sendInParts } from './parts.ts'
import { needsTurn, type Release, takeTurn } from './turns.ts'

interface Entered {
  coordinator: Server
  enterHome: Call
  /** whether it holds the rows of a tenant */
  holds(tenantId: number): boolean
  /** finds out where tenants are */
  look(): Promise<void>
}

/** A server of a cluster: its flights draw ids at home, and are refused if their tenant has moved. */
export function entered(server: Server, { coordinator, enterHome, holds, look }: Entered): Server {
  const takesTurn = server === coordinator
  const home: Send = (calls) => coordinator.send(calls)
  /** A worker was chosen for one tenant of a flight, so that one is never sent on, even if it is known to have moved. */
  const partsFor = (own: number) => ({
    ...{ home, enterHome, takesTurn },
    holds: (tenantId: number) => (tenantId === own && server !== coordinator) || holds(tenantId),
  })
  const takeTurnFor = async (calls: readonly Call[]) =>
    !takesTurn && calls.some(needsTurn) ? takeTurn(coordinator) : undefined
  return {
    ...server,
    async send(calls, tenantId = firstOf(calls)) {
      const release = await takeTurnFor(calls)
      const parts = partsFor(tenantId)
      return sendInParts(calls, { ...parts, node: server.send, isComplete: true }).finally(release)
    },
    search(calls, who, tenantId = firstOf(calls)) {
      const node: Send = (part) => server.search(part, who)
      return sendInParts(calls, { ...partsFor(tenantId), node, isComplete: true })
    },
    async acquire(tenantId) {
      const lease = await server.acquire()
      const node: Send = (calls) => lease.connection.send(calls)
      let parts: ReturnType<typeof partsFor> | undefined
      let release: Release | undefined
      const send: Send = async (calls) => {
        release ??= await takeTurnFor(calls)
        parts ??= partsFor(tenantId ?? firstOf(calls))
        return sendInParts(calls, { ...parts, node, isComplete: false }).catch(async (error: FlightError) => {
          if (!isElsewhere(error)) throw error
          await look()
          // The transaction starts over, where the tenant is now.
          throw Object.assign(error, { code: SERIALIZATION_FAILURE })
        })
      }
      return {
        connection: Object.create(lease.connection, { send: { value: send } }),
        release(broken) {
          lease.release(broken)
          void release?.()
        },
      }
    },
  }
}

/** The tenant of a connection between nodes whose flight brings none; refuse_flights_without_tenant() gives it to the role. */
const NO_TENANT = 'elsewhere'
const NO_NUMBER = '22P02'
/** Nodes hear of a move one after the other. */
const TRIES = 4
const PAUSE_MS = 50

/** The node would have sent a statement on, because it does not hold the tenant any more. It has done nothing. */
const isElsewhere = ({ code, message }: FlightError) => code === NO_NUMBER && message.includes(`"${NO_TENANT}"`)

const firstOf = (calls: readonly Call[]) => Number(calls.find(isEntrance)?.values[1] ?? 0)

/**
 * A server whose complete flights go to where their tenant is now, if it has moved. Rejects with Unavailable if it is
 * moved all the while.
 * @param of the server that holds a tenant, as far as is known
 * @param look finds out where tenants are
 */
export function following(server: Server, of: (tenantId: number) => Server, look: () => Promise<void>): Server {
  async function follow<T>(tenantId: number, run: (at: Server) => Promise<T>): Promise<T> {
    for (let at = server, tries = 1; ; at = of(tenantId), tries++) {
      try {
        return await run(at)
      } catch (error) {
        if (!isElsewhere(error as FlightError)) throw error
        if (tries === TRIES) throw new Unavailable('the tenant is being moved', { cause: error })
      }
      if (tries > 1) await sleep(PAUSE_MS * tries)
      await look()
    }
  }
  return {
    ...server,
    send: (calls, tenantId = firstOf(calls)) => follow(tenantId, (at) => at.send(calls, tenantId)),
    search: (calls, who, tenantId = firstOf(calls)) => follow(tenantId, (at) => at.search(calls, who, tenantId)),
  }
}
