import Fastify from 'fastify'
import type { Build } from '../../config/build.ts'
import type { Readiness } from '../../data/setup/readiness.ts'
import type { Log } from '../../kernel/log.ts'
import { statusOf } from './health.ts'

export interface MetricsListener {
  port: number
  close(): Promise<void>
}

/** What is reported to operators. */
export interface Told {
  metrics(): Promise<{ type: string; text: string }>
  readiness(): Promise<Readiness>
  log: Log
}

/**
 * The listener for operators: metrics, and health with its reasons. It has its own port, by default only for this
 * machine, because none of it is for clients. Rejects with the system's error if the port is not available.
 */
export async function openMetricsListener(
  told: Told,
  { port, host, build }: { port: number; host: string; build: Build },
): Promise<MetricsListener> {
  const door = Fastify({
    requestTimeout: 10_000,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: 5000 },
    forceCloseConnections: true,
  })
  door.addHook('onRequest', async (req, reply) => {
    reply.header('cache-control', 'no-store')
    if (req.method !== 'GET' && req.method !== 'HEAD') return reply.code(405).send('only GET\n')
  })
  door.get('/metrics', async (_req, reply) => {
    const { type, text } = await told.metrics()
    return reply.type(type).send(text)
  })
  door.get('/livez', async () => ({ status: 'ok' }))
  door.get('/readyz', async (_req, reply) => {
    const readiness = await told.readiness()
    return reply.code(statusOf(readiness.status)).send({ ...readiness, ...build })
  })
  door.setNotFoundHandler((_req, reply) => reply.code(404).send('here are /metrics, /livez and /readyz\n'))
  door.setErrorHandler((error, _req, reply) => {
    told.log.error({ err: error }, 'the metrics could not be reported')
    return reply.code(500).send()
  })
  await door.listen({ port, host })
  const address = door.server.address()
  return { port: typeof address === 'object' && address ? address.port : port, close: () => door.close() }
}
