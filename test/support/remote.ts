import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { endsWithFile } from './clean-up.ts'
import { type Answer, answerOf, type Caller, callerOver } from './client.ts'
import { PATIENCE_MS } from './patience.ts'

export type RemoteClient = Caller

/**
 * A client of a service in another process, over real connections that are kept alive.
 * @param isThisRelease its answers are held to the document of this release, and not only to the envelope
 */
export function openRemote(port: number, connections = 64, isThisRelease = true) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })

  function send(method: string, path: string, headers: Record<string, string>, body?: string | Buffer) {
    return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const options = { agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } }
      const call = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
        response.on('error', reject)
      })
      call.setTimeout(PATIENCE_MS, () => call.destroy(new Error(`no answer within ${PATIENCE_MS} ms`)))
      let sentAt = Number.POSITIVE_INFINITY
      call.on('finish', () => (sentAt = performance.now()))
      call.on('error', (error) => reject(Object.assign(error, { sentAt })))
      call.end(body)
    })
  }

  async function ask(method: string, url: string, headers: Record<string, string>, body?: string | Buffer) {
    const answer = await send(method, url, headers, body)
    return answerOf({ method, url }, answer.status, answer.headers as Answer['headers'], answer.text, isThisRelease)
  }

  return {
    /** Sends bytes as they are to an address below /api/v1: what is no JSON, a form. */
    send: (method: string, path: string, headers: Record<string, string>, body?: string | Buffer) =>
      ask(method, `/api/v1${path}`, headers, body),
    /**
     * Paths are relative to /api/v1. A call rejects with Node's error when the connection is refused or lost; its `sentAt`
     * tells when the request had left, Infinity when it never did.
     */
    as(token?: string): RemoteClient {
      const always: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
      return callerOver((method, url, headers, body) => {
        const sent = body === undefined ? undefined : JSON.stringify(body)
        const type: Record<string, string> = sent === undefined ? {} : { 'content-type': 'application/json' }
        return ask(method, url, { ...always, ...type, ...headers }, sent)
      })
    },
    /** The status of an address outside the envelope, and how many milliseconds it took. */
    async probe(path: string) {
      const start = performance.now()
      const { status } = await send('GET', path, {})
      return { status, ms: performance.now() - start }
    },
    close: endsWithFile(() => agent.destroy()) as () => void,
  }
}
export type Remote = ReturnType<typeof openRemote>
