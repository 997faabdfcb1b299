import { type Call, type FlightError, isEntrance, type Result, type Row, UNNAMED } from '#atrium'
import { needsTurn, TAKE_TURN } from './turns.ts'

export type Send = (calls: readonly Call[]) => Promise<Result[]>

/** A part of a flight, and which statement of the flight each of its own stands for. */
interface Part {
  calls: Call[]
  places: (number | undefined)[]
}

interface Parts {
  node: Send
  home: Send
  enterHome: Call
  /** whether the node holds the rows of a tenant */
  holds(tenant: number): boolean
  isComplete: boolean
  takesTurn?: boolean
}

const clock: Call = {
  prepared: { name: 'clock of a node', text: 'select clock_timestamp()::timestamptz(3) as now', draws: true },
  values: [],
}

/**
 * Sends a flight in two parts: ids are drawn at home, where they have one order, and the rest leaves to the node. Both
 * leave at the same time, and the answer is the one of a single flight.
 * @param isComplete the part for the node may be left out if it only enters tenants: the flight is not one of several of
 *   a transaction
 * @param takesTurn its own transaction takes the turn that it needs
 */
export async function sendInParts(
  calls: readonly Call[],
  { node, home, enterHome, holds, isComplete, takesTurn }: Parts,
): Promise<Result[]> {
  const results: Result[] = calls.map(() => ({ rows: [], affected: 0 }))
  const drawn: Part = { calls: [enterHome], places: [undefined] }
  let rest: Part = { calls: [], places: [] }
  const turnAt = takesTurn ? calls.findIndex(needsTurn) : -1
  for (const [place, call] of calls.entries()) {
    if (place === turnAt) add(rest, TAKE_TURN, undefined)
    add(call.prepared.draws ? drawn : rest, call, place)
    if (isEntrance(call) && !holds(Number(call.values[1]))) add(rest, carried(call), undefined)
  }
  if (drawn.calls.length === 1) {
    await sendPart(node, rest, results)
    return results
  }
  // Times of a tenant come from one clock: an id that is drawn last brings that of its node, read after the locks.
  const last = calls.length - 1
  const bringsClock = calls[last]!.prepared.draws
  if (isComplete && rest.places.every((place) => place === undefined || isEntrance(calls[place]!)))
    rest = { calls: [], places: [] }
  if (bringsClock) add(rest, clock, undefined)
  const [, here] = await Promise.all([sendPart(home, drawn, results), sendPart(node, rest, results)])
  if (bringsClock) {
    const row: Row = { ...results[last]!.rows[0], now: here.at(-1)!.rows[0]!.now }
    results[last] = { rows: [row], affected: results[last]!.affected }
  }
  return results
}

function add(part: Part, call: Call, place: number | undefined): void {
  part.calls.push(call)
  part.places.push(place)
}

/**
 * Repeats the tenant in the form that Citus takes along to the node that holds it. It is the second statement of a flight
 * at the earliest, when PostgreSQL has opened the block that it holds for. Without this a statement that is sent on, as
 * the tenant has just moved, is refused there: ids would be drawn here, and fall behind those of the new node.
 */
function carried({ values: [, tenant] }: Call): Call {
  return { prepared: { name: UNNAMED, text: `set local app.tenant_id = '${BigInt(tenant as string)}'` }, values: [] }
}

async function sendPart(send: Send, { calls, places }: Part, results: Result[]): Promise<Result[]> {
  if (calls.length === 0) return []
  try {
    const found = await send(calls)
    for (const [at, place] of places.entries()) if (place !== undefined) results[place] = found[at]!
    return found
  } catch (error) {
    const failed = error as FlightError
    if (failed.statement !== undefined) failed.statement = places[failed.statement] ?? -1
    throw error
  }
}
