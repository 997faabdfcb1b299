import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isKnown } from '../../util/text/entity-tags.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

/** The page runs its own scripts and calls its own service; Scalar creates its styles in the browser. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Asset {
  bytes: Buffer
  etag: string
  type: string
  encoding?: 'gzip'
}

interface DocsOptions {
  /** what the page signs in by one click; undefined in production, and if the password is not the usual one */
  account: { username: string; password: string } | undefined
}

/**
 * `/openapi.json`, and `/docs`, Scalar's page to read and try it; all its files are served from here, so it works
 * offline.
 */
export const docs = fp<DocsOptions>(
  async (app, { account }) => {
    const assets = new Map<string, Promise<Asset>>()

    serve('/openapi.json', JSON_TYPE, () => app.document())

    await app.register(async (page) => {
      page.addHook('onRequest', (_req, reply, done) => {
        reply.header('content-security-policy', PAGE_POLICY)
        done()
      })
      // Its file names are relative, and would resolve differently without the slash.
      page.get('/docs', (req, reply) => {
        if (!req.url.split('?')[0]!.endsWith('/')) return reply.redirect('docs/')
        return reply.type('text/html; charset=utf-8').send(pageHtml(account))
      })
    })
    serve('/docs/page.js', SCRIPT, () => readFile(new URL('page.js', import.meta.url)))
    serve('/docs/page.css', STYLE, () => readFile(new URL('page.css', import.meta.url)))
    serve('/docs/scalar.js', SCRIPT, libraryBundle, 'gzip')

    /** Reads it at the first request, and keeps it. */
    function serve(path: string, type: string, read: () => Promise<string | Uint8Array>, encoding?: 'gzip') {
      app.get(path, async (req, reply) => {
        const asset = assets.get(path) ?? load()
        assets.set(path, asset)
        asset.catch(() => assets.delete(path))
        return sendAsset(req, reply, await asset)
      })
      async function load(): Promise<Asset> {
        const bytes = Buffer.from(await read())
        const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
        return { bytes, etag, type, ...(encoding && { encoding }) }
      }
    }
  },
  { name: 'docs' },
)

/** A browser that requests `/` is redirected to the page. */
export async function docsAsHome(app: FastifyInstance) {
  app.get('/', (req, reply) => {
    if (!req.headers.accept?.includes('text/html')) return reply.callNotFound()
    return reply.redirect('docs/')
  })
}

function sendAsset(req: FastifyRequest, reply: FastifyReply, { bytes, etag, type, encoding }: Asset): FastifyReply {
  reply.headers({ etag, 'cache-control': 'no-cache' })
  if (isKnown(etag, req.headers['if-none-match'])) return reply.code(304).send()
  if (encoding) reply.header('content-encoding', encoding)
  return reply.type(type).send(bytes)
}

/**
 * The library's half for the browser, compressed, as every browser accepts it. The package holds it as a string of 4
 * MB: imported here it would cost every start 200 ms and 45 MB, so a worker loads it when someone first opens the page.
 */
function libraryBundle(): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('bundle.worker.ts', import.meta.url))
    worker.once('error', reject)
    // With --watch, Node sends messages of its own.
    worker.on('message', (bytes) => bytes instanceof Uint8Array && resolve(bytes))
  })
}

/** The documentation page. It loads nothing from elsewhere, and contains no inline script. */
function pageHtml(account: DocsOptions['account']): string {
  const known = account ? ` data-username="${account.username}" data-password="${account.password}"` : ''
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Atrium API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="page.css" />
    <script src="scalar.js" defer></script>
    <script src="page.js" type="module"></script>
  </head>
  <body>
    <form id="session"${known}>
      <output></output>
      <button type="submit"></button>
    </form>
    <main id="reference"></main>
  </body>
</html>
`
}
