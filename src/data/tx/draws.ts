import { sharedRuns } from '../../util/shared-runs.ts'
import type { Database } from '../wire/database.ts'
import type { Prepared, Result } from '../wire/flight.ts'

type Draw = (prepared: Prepared) => Promise<Result>

const drawOf = new WeakMap<Database, Draw>()

/**
 * A row of a question that is nobody's in particular, as for the next id: asked once for everybody who asks it at the same
 * moment. Whoever comes while it is on its way waits for that, and is asked for together with all who wait. So nobody
 * waits longer who is alone, and of many each costs the database next to nothing.
 *
 * @param prepared yields `$1` rows
 */
export function drawTogether(database: Database, prepared: Prepared): Promise<Result> {
  const draw = drawOf.get(database) ?? openDraw(database)
  drawOf.set(database, draw)
  return draw(prepared)
}

function openDraw(database: Database): Draw {
  /** of each question, how many wait for the next answer */
  const waiting = new Map<Prepared, number>()
  const ask = sharedRuns(async (prepared: Prepared) => {
    const rows = waiting.get(prepared)
    waiting.delete(prepared)
    const results = await database.send([database.entering(0, 'shared'), { prepared, values: [rows] }])
    return results[1]!.rows
  })
  return async (prepared) => {
    const place = waiting.get(prepared) ?? 0
    waiting.set(prepared, place + 1)
    const rows = await ask(prepared)
    return { rows: [rows[place]!], affected: 1 }
  }
}
