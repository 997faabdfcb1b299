import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type DomainRoutes, type FastifyInstance, type FastifyReply, type FastifyRequest, isKnown } from '#atrium'
import { isServed } from './console.rules.ts'

const TYPES: Record<string, string> = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.html': 'text/html; charset=utf-8',
}
const HEADERS = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-cache', 'content-encoding': 'gzip' }
/** The page has its own files and its own service, and nothing that stands in the page itself. */
const POLICY = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}
const PAGE = 'console/index.html'

interface Asset {
  bytes: Buffer
  etag: string
}

/**
 * `/console/`: pages for those who run a tenant or the installation, over the public API. Every address below it without
 * a file name is the page, which finds its subject itself. A browser that requests `/` is redirected to it. All files are
 * read at the first request and kept.
 */
export const consolePages: DomainRoutes = async (app, { config }) => {
  if (!isServed(config)) return
  let assets: Promise<Map<string, Asset>> | undefined

  app.get('/', (req, reply) => {
    if (!req.headers.accept?.includes('text/html')) return reply.callNotFound()
    return reply.redirect('console/')
  })
  // Both are one address to the router, but only the one with the slash is served.
  app.get<{ Params: { '*'?: string } }>('/console', pageOrAsset)
  app.get<{ Params: { '*'?: string } }>('/console/*', pageOrAsset)

  async function pageOrAsset(req: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) {
    if (req.url.split('?')[0] === '/console') return reply.redirect('console/')
    const path = req.params['*'] ?? ''
    const name = /^assets(\/|$)/.test(path) ? path.slice('assets/'.length) : PAGE
    if (name === PAGE && extname(path)) return reply.callNotFound()
    assets ??= readAssets(app)
    assets.catch(() => {
      assets = undefined
    })
    const asset = (await assets).get(name)
    return asset ? send(reply, name, asset) : reply.callNotFound()
  }
}

function send(reply: FastifyReply, name: string, { bytes, etag }: Asset): FastifyReply {
  reply.headers({ ...HEADERS, ...(name === PAGE && POLICY), etag })
  if (isKnown(etag, reply.request.headers['if-none-match'])) return reply.code(304).send()
  return reply.type(TYPES[extname(name)]!).send(bytes)
}

async function readAssets({ domains, document }: FastifyInstance): Promise<Map<string, Asset>> {
  const extensions = domains.flatMap(({ name, console: folder }) => (folder ? [[name, String(folder)]] : []))
  const workerData = { document: await document(), extensions }
  return new Promise((resolve, reject) => {
    // What it writes to stderr is only that stripping types is new in Node.
    const worker = new Worker(new URL('assets.worker.ts', import.meta.url), { stderr: true, workerData })
    worker.once('error', reject)
    worker.on('message', (files) => {
      // With --watch, Node sends messages of its own.
      if (files instanceof Map) resolve(new Map([...files].map(asAsset)))
    })
  })
}

function asAsset([path, bytes]: [string, Uint8Array]): [string, Asset] {
  return [path, { bytes: Buffer.from(bytes), etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` }]
}
