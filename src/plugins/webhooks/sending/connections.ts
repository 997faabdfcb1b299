import type { Agent } from 'node:http'

// Imported, they would load more of Node with each start.
const { Agent: HttpAgent } = process.getBuiltinModule('node:http')
const { Agent: HttpsAgent } = process.getBuiltinModule('node:https')

export type Connections = ReturnType<typeof openConnections>

/** A receiver that closes idle connections usually does so later than this. */
const IDLE_MS = 4000
/** A busy webhook looks up its receiver as often, because that may have moved. */
const LONGEST_MS = 60_000

/**
 * Keeps a connection for the next delivery of the same webhook, because setting one up costs as much as a delivery, and with
 * TLS several times as much. Webhooks share none: a receiver could answer the next request on its connection before that is
 * sent, and must not answer for another webhook.
 */
export function openConnections() {
  const options = { keepAlive: true, timeout: IDLE_MS }
  const [http, https] = [keptApart(new HttpAgent(options)), keptApart(new HttpsAgent(options))]
  return {
    /** The options of a request of a webhook: the agent takes a connection of the owner. @param protocol of its URL */
    of: (webhook: string, protocol: string) => ({
      agent: protocol === 'https:' ? https : http,
      owner: `${webhook} ${Math.floor(Date.now() / LONGEST_MS)}`,
    }),
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

/** Connections of one name are alike to an agent. */
function keptApart<A extends Agent>(agent: A): A {
  const nameOf = agent.getName.bind(agent)
  agent.getName = (options) => `${(options as { owner?: string }).owner} ${nameOf(options)}`
  return agent
}
