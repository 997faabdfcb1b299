/**
 * What Fastify itself can do: one route for each work, which answers with prepared bytes and the headers of the
 * original. `ANSWERS` is a file with them: `[{method, route, status, headers, body}]`.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const { PORT, ANSWERS } = process.env
const app = Fastify()
for (const { method, route, status, headers, body } of JSON.parse(readFileSync(ANSWERS!, 'utf8'))) {
  const bytes = Buffer.from(body)
  app.route({ method, url: route, handler: (_req, reply) => reply.code(status).headers(headers).send(bytes) })
}
app.get('/readyz', async () => ({ status: 'ok' }))
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
