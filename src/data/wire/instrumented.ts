import type { Database, Held } from './database.ts'
import type { Call, FlightError, Landing, Line, Prepared } from './connection.ts'

/** Somebody who wants to know from when to when something lasted. Yields what to call at its end. */
export type Watch = (name: string, facts: Record<string, string | number>) => (error?: FlightError) => void

/** The same database, with a watch on every flight and on every wait for a line. It tells statements, and never values. */
export function watched(database: Database, watch: Watch): Database {
  const fly = watching(database.fly, watch)
  const lines = new WeakMap<Line, Line>()

  function watchedLine(line: Line): Line {
    const known = lines.get(line)
    if (known) return known
    const twin = Object.create(line, { fly: { value: watching(line.fly, watch) } }) as Line
    lines.set(line, twin)
    return twin
  }

  return {
    ...database,
    fly,
    async hold(): Promise<Held> {
      const end = watch('wait for a line', {})
      try {
        const held = await database.hold()
        end()
        return { ...held, line: watchedLine(held.line) }
      } catch (error) {
        end(error as FlightError)
        throw error
      }
    },
  }
}

function watching(fly: Line['fly'], watch: Watch): Line['fly'] {
  return async (calls): Promise<Landing[]> => {
    const end = watch(...describe(calls))
    try {
      const landings = await fly(calls)
      end()
      return landings
    } catch (error) {
      end(error as FlightError)
      throw error
    }
  }
}

const LONGEST = 200

function describe(calls: readonly Call[]): [name: string, facts: Record<string, string | number>] {
  const summary = [...new Set(calls.map(({ prepared }) => summaryOf(prepared)))].filter(Boolean).join(', ')
  const text = summary.slice(0, LONGEST) || 'nothing'
  return [text, { 'db.system.name': 'postgresql', 'db.query.summary': text, 'db.operation.batch.size': calls.length }]
}

const summaries = new Map<string, string>()

/** `update tasks`: what a statement does, and to which table. Empty for the one that enters the tenant. */
function summaryOf({ name, text }: Prepared): string {
  const known = summaries.get(name)
  if (known !== undefined) return known
  const summary = text.startsWith('select set_config') ? '' : summarize(text)
  summaries.set(name, summary)
  return summary
}

function summarize(text: string): string {
  // A change that has to find its row stands inside of a question for how many it found.
  const [, verb = ''] = /^(?:with "?\w+"? as \()?(\w+)/.exec(text) ?? []
  const [, table] = /(?:from|into|update) "?(\w+)"?/.exec(text) ?? []
  return table ? `${verb} ${table}` : verb
}
