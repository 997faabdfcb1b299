import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import fp from 'fastify-plugin'
import { isKnown } from '../request/entity-tags.ts'
import { readDocument } from './document.ts'

const PAGE = fileURLToPath(new URL('./', import.meta.url))
const SWAGGER_UI = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static')
const FILES = ['page.html', 'page.css', 'page.js', 'swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png']

/** The page runs its own scripts and talks to its own service; Swagger UI sets some styles on elements. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface DocsOptions {
  /** what domains from outside add to the document */
  parts: readonly URL[]
}

/** `/openapi.json`, and `/docs`, a page to read and to try it; all its files come from here, so it works offline. */
export const docs = fp<DocsOptions>(
  async (app, { parts }) => {
    let document: { bytes: Buffer; etag: string } | undefined

    app.get('/openapi.json', async (req, reply) => {
      document ??= await encode(readDocument(parts))
      reply.headers({ etag: document.etag, 'cache-control': 'no-cache' })
      if (isKnown(document.etag, req.headers['if-none-match'])) return reply.code(304).send()
      return reply.type('application/json; charset=utf-8').send(document.bytes)
    })

    await app.register(async (page) => {
      page.addHook('onRequest', (_req, reply, done) => {
        reply.header('content-security-policy', PAGE_POLICY)
        done()
      })
      page.get('/docs', (_req, reply) => reply.redirect('docs/'))
      await page.register(fastifyStatic, {
        root: [PAGE, SWAGGER_UI],
        prefix: '/docs/',
        index: 'page.html',
        allowedPath: (path) => path === '/' || FILES.includes(path.slice(1)),
        decorateReply: false,
      })
    })
  },
  { name: 'docs' },
)

async function encode(text: Promise<string>) {
  const bytes = Buffer.from(await text)
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }
}
