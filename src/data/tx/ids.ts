import { type RawBuilder, sql } from 'kysely'
import { cold, compile } from '../sql/compile.ts'
import type { Protected } from '../sql/schema.ts'
import type { Prepared } from '../wire/flight.ts'
import { run, type Tx } from './scope.ts'

/** The database's clock, to the millisecond that is stored. */
export const CLOCK = sql<string>`clock_timestamp()::timestamptz(3)`

interface Draw {
  one: ReturnType<typeof compile>
  many: Prepared
}
const draws = new Map<string, Draw>()

/**
 * Draws the id of a row before it is inserted, in the flight that loads what the decision needs. So the statements
 * behind it (the row, its activity, its news) are all bound before they leave, and travel with the commit. Drawn last,
 * behind the locks, it saves the transaction the question for the time. Drawn alone, it is drawn together with the ids of
 * whoever asks at the same moment.
 */
export async function nextId(tx: Tx<any>, table: Protected | 'tenants'): Promise<number> {
  const { one, many } = drawOf(table)
  const result = await run(tx, { ...one(undefined, {}), readsClock: true, drawn: many })
  return result.rows[0]!.id as number
}

function drawOf(table: string): Draw {
  const draw = draws.get(table) ?? newDraw(sql.lit(sequenceOf(table)))
  draws.set(table, draw)
  return draw
}

function newDraw(sequence: RawBuilder<unknown>): Draw {
  const row = [sql`nextval(${sequence})`.as('id'), CLOCK.as('now')]
  const rows = (p: { most: number }) => sql`generate_series(1, ${p.most}::integer)`.as('row')
  return {
    one: compile('peek', () => cold.selectNoFrom(row)),
    many: compile('peek', (p: { most: number }) => cold.selectFrom(rows(p)).select(row))(undefined, { most: 1 })
      .prepared,
  }
}

function sequenceOf(table: string): string {
  return `${table.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_id_seq`
}
