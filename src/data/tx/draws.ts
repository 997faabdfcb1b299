import type { Database } from '../wire/database.ts'
import type { Prepared, Result, Row } from '../wire/flight.ts'

type Draw = () => Promise<Result>

const drawsOf = new WeakMap<Database, Map<string, Draw>>()

/**
 * A row of a question that is nobody's in particular, as for the next id: asked once for everybody who asks it at the same
 * moment. Whoever comes while it is on its way waits for that, and is asked for together with all who wait. So nobody
 * waits longer who is alone, and of many each costs the database next to nothing.
 *
 * @param prepared yields `$1` rows
 */
export function drawTogether(database: Database, prepared: Prepared): Promise<Result> {
  const draws = drawsOf.get(database) ?? new Map<string, Draw>()
  drawsOf.set(database, draws)
  const draw = draws.get(prepared.name) ?? shared((rows) => ask(database, prepared, rows))
  draws.set(prepared.name, draw)
  return draw()
}

async function ask(database: Database, prepared: Prepared, rows: number): Promise<Row[]> {
  const results = await database.send([database.entering(0, 'shared'), { prepared, values: [rows] }])
  return results[1]!.rows
}

interface Waiting {
  resolve(result: Result): void
  reject(error: Error): void
}

function shared(askFor: (rows: number) => Promise<Row[]>): Draw {
  let waiting: Waiting[] = []
  let asking = false

  async function askForAll() {
    asking = true
    while (waiting.length > 0) {
      const all = waiting
      waiting = []
      await askFor(all.length).then(
        (rows) => {
          for (const [at, { resolve }] of all.entries()) resolve({ rows: [rows[at]!], affected: 1 })
        },
        (error) => {
          for (const { reject } of all) reject(error)
        },
      )
    }
    asking = false
  }

  return () =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
      if (!asking) void askForAll()
    })
}
