import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fp from 'fastify-plugin'
import { isKnown } from './public-answers.ts'

/** Written by `npm run openapi`, and held to the routes by a test. */
const DOCUMENT = new URL('../../openapi.json', import.meta.url)
const SWAGGER_UI = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')

/** `/openapi.json`, and the page `/docs` that makes it something to try; it works offline. */
export const docs = fp(
  async (app) => {
    let document: { bytes: Buffer; etag: string } | undefined

    app.get('/openapi.json', async (req, reply) => {
      document ??= await readDocument()
      reply.headers({ etag: document.etag, 'cache-control': 'no-cache' })
      if (isKnown(document.etag, req.headers['if-none-match'])) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(document.bytes)
    })

    await app.register(fastifyStatic, { root: SWAGGER_UI, prefix: '/docs/' })
  },
  { name: 'docs' },
)

async function readDocument() {
  const bytes = await readFile(DOCUMENT)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
