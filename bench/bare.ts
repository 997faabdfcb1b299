/**
 * The yardstick of public pages: Fastify and one route for each page, which answers bytes that are ready, with the very
 * headers of the original. `ANSWERS` is a file with the pages: `[{path, headers, body}]`.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

const { PORT, ANSWERS, LOG_LEVEL = 'info' } = process.env
const app = Fastify({ logger: { level: LOG_LEVEL } })
for (const { path, headers, body } of JSON.parse(readFileSync(ANSWERS!, 'utf8'))) {
  const bytes = Buffer.from(body)
  app.get(path, (_req, reply) => reply.headers(headers).send(bytes))
}
app.get('/readyz', async () => ({ status: 'ok' }))
await app.listen({ port: Number(PORT), host: '127.0.0.1' })
process.once('SIGTERM', () => app.close().then(() => process.exit(0)))
