import Fastify from 'fastify'
import { type Config, canServe, type Told } from '#atrium'

/**
 * The listener for operators: metrics, and health with its reasons. It has its own port, by default only for this
 * machine, because none of it is for clients. Rejects with the system's error if the port is not available.
 */
export async function openListener(
  told: Told,
  { port, host, build }: { port: number; host: string; build: Config['build'] },
): Promise<{ close(): Promise<void> }> {
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
    return reply.code(canServe(readiness) ? 200 : 503).send({ ...readiness, ...build })
  })
  door.setNotFoundHandler((_req, reply) => reply.code(404).send('here are /metrics, /livez and /readyz\n'))
  door.setErrorHandler((error, _req, reply) => {
    told.log.error({ err: error }, 'the metrics could not be reported')
    return reply.code(500).send()
  })
  await door.listen({ port, host })
  return { close: () => door.close() }
}
