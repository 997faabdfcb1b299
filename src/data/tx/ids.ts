import { sql } from 'kysely'
import { cold, compile } from '../sql/compile.ts'
import type { Protected } from '../sql/schema.ts'
import { run, type Tx } from './scope.ts'

/** The database's clock, to the millisecond that is stored. */
export const CLOCK = sql<string>`clock_timestamp()::timestamptz(3)`

const draws = new Map<string, ReturnType<typeof compile>>()

/**
 * Draws the id of a row before it is inserted, in the flight that loads what the decision needs. So the statements
 * behind it (the row, its activity, its news) are all bound before they leave, and travel with the commit. Drawn last,
 * behind the locks, it saves the transaction the question for the time.
 */
export async function nextId(tx: Tx<any>, table: Protected | 'tenants'): Promise<number> {
  const result = await run(tx, { ...drawOf(table)(undefined, {}), readsClock: true })
  return result.rows[0]!.id as number
}

function drawOf(table: string) {
  const draw =
    draws.get(table) ??
    compile('peek', () => cold.selectNoFrom([sql`nextval(${sql.lit(sequenceOf(table))})`.as('id'), CLOCK.as('now')]))
  draws.set(table, draw)
  return draw
}

function sequenceOf(table: string): string {
  return `${table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_id_seq`
}
