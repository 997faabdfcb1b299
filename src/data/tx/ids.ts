import { sql } from 'kysely'
import { cold, compile } from '../sql/compile.ts'
import type { Protected } from '../sql/schema.ts'
import { run, type Tx } from './scope.ts'

/** The database's clock, to the millisecond that is stored. */
export const CLOCK = sql<string>`clock_timestamp()::timestamptz(3)`

const draws = new Map<string, ReturnType<typeof compile>>()

/**
 * Draws the id of a row before it is inserted, with the first statements of the action. So the statements that name it
 * (the row, its activity, its notification) are all bound before they leave, and travel with the commit.
 */
export async function nextId(tx: Tx<any>, table: Protected | 'tenants'): Promise<number> {
  const draw = draws.get(table) ?? drawFrom(sequenceOf(table))
  draws.set(table, draw)
  const { rows } = await run(tx, draw(undefined, {}))
  return rows[0]!.id as number
}

function drawFrom(sequence: string) {
  const row = [sql<number>`nextval(${sql.lit(sequence)})`.as('id'), CLOCK.as('now')]
  return compile('read', () => cold.selectNoFrom(row), { beforeLock: true, draws: true })
}

function sequenceOf(table: string): string {
  return `${table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_id_seq`
}
