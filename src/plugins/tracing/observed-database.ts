import type { Call, Database, FlightError, Lease, Prepared } from '#atrium'

type Connection = Lease['connection']

/** Called when something begins; the function it returns is called at the end. */
export type Observe = (name: string, facts: Record<string, string | number>) => (error?: FlightError) => void

/**
 * The same database, with every flight and every wait for a connection observed. Statements are reported, never values.
 */
export function observed(database: Database, observe: Observe): Database {
  const connections = new WeakMap<Connection, Connection>()

  function observedConnection(connection: Connection): Connection {
    const known = connections.get(connection)
    if (known) return known
    const twin = Object.create(connection, { send: { value: watched(connection.send, observe) } }) as Connection
    connections.set(connection, twin)
    return twin
  }

  return {
    ...database,
    send: (tenantId, calls) => watched((sent) => database.send(tenantId, sent), observe)(calls),
    search: (tenantId, calls, who) => watched((sent) => database.search(tenantId, sent, who), observe)(calls),
    async acquire(tenantId): Promise<Lease> {
      const lease = await watch(observe('wait for a connection', {}), () => database.acquire(tenantId))
      return { ...lease, connection: observedConnection(lease.connection) }
    },
  }
}

function watched(send: Connection['send'], observe: Observe): Connection['send'] {
  return (calls) => watch(observe(...describe(calls)), () => send(calls))
}

async function watch<T>(end: ReturnType<Observe>, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    end()
    return result
  } catch (error) {
    end(error as FlightError)
    throw error
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
  // A change that must find its row is inside a query for how many it found.
  const [, verb = ''] = /^(?:with "?\w+"? as \()?(\w+)/.exec(text) ?? []
  const [, table] = /(?:from|into|update) "?(\w+)"?/.exec(text) ?? []
  return table ? `${verb} ${table}` : verb
}
