import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { z } from 'zod'
import type { Database } from '../../data/wire/database.ts'
import { isPlain } from '../../util/target.ts'
import { isKnown } from '../../util/text/entity-tags.ts'
import { namerOf } from '../language/former-users.ts'
import { compile, writerOf } from '../request/envelope.ts'
import { PUBLIC } from '../request/tenancy.ts'
import { answerCache } from './answer-cache.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The ETag of a public answer with such a view: a client that replaces what it shows sends it in If-Match. */
    publicTag(schema: z.ZodType): (view: unknown) => string
    /** The memory that cached public answers take. */
    publicBytes(): number
  }
  interface FastifyContextConfig {
    /**
     * A public read: its answer is cached until the tenant's content changes, if this returns true for the view. It is
     * worth keeping if it cannot be requested in endlessly many ways.
     */
    keeps?: (view: any, query: any) => boolean
    /** its answer depends on the language of its reader */
    inLanguages?: true
    /** its answer depends on whether its reader is signed in */
    forMembers?: true
  }
}

interface Answer {
  bytes: Buffer
  etag: string
  headers: Record<string, string>
}
interface Kept extends Answer {
  /** all headers for visitors of the tenant's own pages, except the id of their request */
  whole: OutgoingHttpHeaders
}

interface Options {
  database: Database
  /** memory for cached answers */
  mostBytes: number
  /** seconds for which browsers and proxies may keep an answer */
  maxAge: number
  /** headers of every answer */
  always: Record<string, string>
  /** Every request counts towards a limit, so none may be answered before it is counted. */
  counted: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Public reads are made once and then sent as bytes, for as long as the content of their tenant has the same version. A
 * statement that announces content raises the version in its transaction; the version is read together with the tenant,
 * so the very next request here misses, and another replica follows within the second for which it remembers tenants.
 *
 * Nearly all readers are visitors without a token, at an address that was answered before. They are answered before the
 * other plugins and Fastify's reply, which together take half as long again as all of a bare route. A request with more
 * than an address (a token, the origin of another page, a validator) takes the long path; both end in the same answer.
 */
export const publicAnswers = fp<Options>(
  async (app, { database, mostBytes, maxAge, always, counted }) => {
    const ready = answerCache<Kept>(mostBytes)
    const underWay = new Map<string, Promise<Answer>>()
    const forEverybody = { 'cache-control': `public, max-age=${maxAge}` }

    app.decorate('publicTag', (schema) => {
      const answer = writerOf(compile(schema))
      return (view) => tagOf(answer(view))
    })
    app.decorate('publicBytes', () => ready.bytes)
    app.addHook('onRoute', (route) => {
      if (!route.config?.keeps) return
      if (!route.url.startsWith(PUBLIC)) throw new Error(`${route.url} is not public, so nothing of it may be kept`)
      route.handler = answerReady(route, route.config.keeps) as never
    })
    if (!counted)
      app.addHook('onRequest', (req, reply, done) => {
        if (req.route.config.keeps === undefined || !bringsOnlyAnAddress(req)) return done()
        const tenant = app.tenancies.atHand(req.headers['x-tenant-code'])
        const answer = tenant && ready.at(tenant, addressOf(req))
        if (!answer) return done()
        req.tenant = tenant
        reply.hijack()
        reply.raw.writeHead(200, { ...answer.whole, 'x-request-id': req.id }).end(answer.bytes)
      })

    const unsubscribe = database.announcements.subscribe((announcement, tenantId) => {
      if (announcement === 'content') ready.drop(tenantId)
    })
    app.addHook('onClose', async () => unsubscribe())

    function answerReady(route: RouteOptions, keeps: (view: unknown, query: unknown) => boolean) {
      const make = route.handler as (req: FastifyRequest, reply: FastifyReply) => Promise<unknown>
      const { querystring } = (route.schema ?? {}) as { querystring?: z.ZodObject }
      const known = new Set(Object.keys(querystring?.shape ?? {}))
      // These answers do not pass the hook that names former members.
      const nameFormerMembers = namerOf(route)
      if (nameFormerMembers && !route.config?.inLanguages)
        throw new Error(`${route.url} names people, so its answers are kept by language: it needs inLanguages`)

      return (req: FastifyRequest, reply: FastifyReply): unknown => {
        const name = nameOf(req)
        // What the answer says of its own address must not contain what another request added to it.
        const shared = asksOnly(req.url, known)
        const tenant = req.tenant!
        const answer = ready.get(tenant, name)
        if (answer) {
          if (shared) ready.put(tenant, name, addressOf(req), answer)
          return void send(req, reply, answer)
        }
        const running = shared
          ? together(`${tenant.id}:${tenant.contentVersion}:${name}`, () => prepare(name))
          : prepare()
        return running.then((made) => send(req, reply, made))

        async function prepare(name?: string): Promise<Answer> {
          const view = await make.call(app, req, reply)
          nameFormerMembers?.(view, reply)
          const answer = answerOf(reply.serialize(view as never) as string, reply)
          if (!name || !keeps(view, req.query) || !ready.admits(tenant, answer.bytes.length)) return answer
          const kept = keptOf(answer, { ...always, ...forEverybody })
          ready.put(tenant, name, addressOf(req), kept)
          return kept
        }
      }

      function nameOf(req: FastifyRequest): string {
        const { params, query } = req
        return `${variantOf(route, req)}${route.url}${JSON.stringify([params, query])}`
      }
    }

    /** Concurrent requests for the same answer share the work. */
    function together(name: string, prepare: () => Promise<Answer>): Promise<Answer> {
      const running = underWay.get(name)
      if (running) return running
      const started = prepare().finally(() => underWay.delete(name))
      underWay.set(name, started)
      return started
    }

    function send(req: FastifyRequest, reply: FastifyReply, { bytes, etag, headers }: Answer): FastifyReply {
      reply.headers(headers)
      if (req.headers.authorization === undefined) reply.headers(forEverybody)
      if (isKnown(etag, req.headers['if-none-match'])) return reply.code(304).send()
      return reply.header('content-type', JSON_TYPE).send(bytes)
    }
  },
  { name: 'public-answers', dependencies: ['lifetime', 'envelope'] },
)

const CARRIED = [
  'link',
  'deprecation',
  'sunset',
  'x-total-count',
  'x-total-count-exact',
  'x-truncated',
  'content-language',
]
/**
 * Pages of allowed origins may read it; and a token decides the tenant, so with one the same address means something
 * else.
 */
const VARY = 'Origin, X-Tenant-Code, Authorization'

/** What the answer at an address depends on besides the tenant. */
function addressOf(req: FastifyRequest): string {
  return `${variantOf(req.route, req)}${req.url}`
}

function variantOf({ config }: Pick<RouteOptions, 'config'>, req: FastifyRequest): string {
  const language = config?.inLanguages ? `${req.language} ` : ''
  // At the door the caller is not yet known; requests with a token take the long path.
  return config?.forMembers && req.actor?.kind === 'user' ? `${language}member ` : language
}

function answerOf(text: string, reply: FastifyReply): Answer {
  // Serialised once, for the ETag and for the wire.
  const bytes = Buffer.from(text)
  const etag = `"${tagOf(bytes)}"`
  const vary = reply.hasHeader('content-language') ? `${VARY}, Accept-Language` : VARY
  const headers: Record<string, string> = { vary, etag }
  for (const name of CARRIED) {
    const value = reply.getHeader(name)
    if (value !== undefined) headers[name] = String(value)
  }
  return { bytes, etag, headers }
}

function keptOf({ bytes: made, etag, headers }: Answer, usual: Record<string, string>): Kept {
  // In its own memory: a slice of Node's pool for small buffers would keep the whole pool.
  const bytes = Buffer.allocUnsafeSlow(made.length)
  made.copy(bytes)
  const whole = { ...usual, ...headers, 'content-type': JSON_TYPE, 'content-length': bytes.length }
  return { bytes, etag, headers, whole }
}

function tagOf(answer: string | Buffer): string {
  return hash('sha256', answer, 'base64url')
}

function bringsOnlyAnAddress({ method, headers, raw }: FastifyRequest): boolean {
  const { authorization, origin, 'if-none-match': known } = headers
  return method === 'GET' && authorization === undefined && origin === undefined && known === undefined && isPlain(raw)
}

/** True if the query of an address has only known names. */
function asksOnly(url: string, known: ReadonlySet<string>): boolean {
  const start = url.indexOf('?')
  return start < 0 || [...new URLSearchParams(url.slice(start + 1)).keys()].every((name) => known.has(name))
}
