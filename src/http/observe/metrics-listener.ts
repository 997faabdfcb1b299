import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { statusOf } from './health.ts'

export interface MetricsListener {
  port: number
  close(): Promise<void>
}

/**
 * The door for operators: metrics, and health with its reasons. On a port of its own, that of the machine alone unless
 * it is told otherwise: none of it is for clients. Rejects with the system's error when the port cannot be had.
 */
export async function openMetricsListener(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<MetricsListener> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 65_000 },
    (req, res) => {
      answer(app, req, res).catch((error) => {
        app.log.error({ err: error }, 'the metrics could not be told')
        if (!res.headersSent) res.writeHead(500)
        res.end()
      })
    },
  )
  await listen(server, port, host)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(app: FastifyInstance, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') return send(res, 405, 'text/plain', 'only GET\n')
  switch (req.url?.split('?', 1)[0]) {
    case '/metrics':
      return send(res, 200, app.metrics!.contentType, await app.metrics!.metrics())
    case '/livez':
      return send(res, 200, 'application/json', '{"status":"ok"}')
    case '/readyz': {
      const readiness = await app.readiness()
      return send(res, statusOf(readiness.status), 'application/json', JSON.stringify(readiness))
    }
    default:
      return send(res, 404, 'text/plain', 'here are /metrics, /livez and /readyz\n')
  }
}

function send(res: ServerResponse, status: number, type: string, body: string): void {
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  })
  res.end(body)
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
