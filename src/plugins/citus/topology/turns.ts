import type { Call, Server } from '#atrium'

const bare = (name: string, text = name): Call => ({ prepared: { name, text }, values: [] })
const BEGIN = bare('begin')
const END = bare('rollback')
/** Waits for the turn, and takes it until the transaction ends. */
export const TAKE_TURN = bare('turn', `select pg_advisory_xact_lock(hashtextextended('shared tables', 0))`)

export type Release = () => Promise<void>

/**
 * The turn of a transaction that locks or changes rows that all nodes have, whatever its tenant. Citus locks the whole
 * table on each node, one after the other, so two such transactions that are entered at different nodes would wait for
 * each other.
 * @param coordinator where the turn is taken, until it is released or its connection breaks
 */
export async function takeTurn(coordinator: Server): Promise<Release> {
  const { connection, release } = await coordinator.acquire()
  const end = () =>
    connection.send([END]).then(
      () => release(false),
      () => release(true),
    )
  try {
    await connection.send([BEGIN, TAKE_TURN])
  } catch (error) {
    await end()
    throw error
  }
  return end
}

/** Whether a statement needs the turn. */
export const needsTurn = ({ prepared }: Call) => prepared.changesShared
