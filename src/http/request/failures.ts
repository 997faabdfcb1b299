import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { z } from 'zod'
import { isUnavailable, OutcomeUnknown } from '../../data/wire/unavailable.ts'
import { type Detail, Fault, faults } from '../../kernel/fault.ts'
import { hasPages } from '../../kernel/page.ts'
import { violationsOf } from '../../kernel/violations.ts'
import { type Language, translate } from '../../kernel/words/sentence.ts'
import { UnknownKey } from '../../util/seal.ts'
import { languageFor } from '../language/language.ts'
import { linger } from '../load/linger.ts'
import { isElsewhere } from './tenancy.ts'

// Importing node:http also loads its WebSocket client, which costs each start a twentieth of a second.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

declare module 'fastify' {
  interface FastifyRequest {
    /** why it was refused; undefined if it was not */
    fault: Fault | undefined
  }
  interface FastifyInstance {
    /** Why no route takes a request: METHOD_NOT_ALLOWED if one of another method is at its address, else `nothing`. */
    refusalOf(req: FastifyRequest, nothing: Fault): Fault
  }
  interface FastifyReply {
    /**
     * Begins the answer of an error: its status and headers, and what the log says of it. The caller sends the body, for a
     * protocol that has a form of its own.
     */
    refuse(error: Error): Refusal
  }
}

/** A refusal in the language of its reader. */
export interface Refusal {
  status: number
  type: string
  /** what it says, in English and without details: the name of the sentence */
  sentence: string
  /** the sentence and its first detail, in the language of the reader */
  message: string
}

/**
 * Turns every error into the one failure body, in the language of the reader. Faults answer for themselves; all other
 * errors are mapped here.
 */
export const failures = fp(
  async (app) => {
    const routes: { method: string; matches: RegExp }[] = []
    app.addHook('onRoute', (route: RouteOptions) => {
      // CORS answers OPTIONS at every address, so it says nothing about this one. And / redirects to the documentation,
      // which does not make it a resource.
      for (const method of [route.method].flat())
        if (method !== 'OPTIONS' && route.url !== '/') routes.push({ method, matches: patternOf(route.url) })
    })
    app.decorateRequest('fault', undefined)
    app.decorateReply('refuse', function (error) {
      this.vary('Accept-Language')
      const { status, type, message: sentence, details } = begin(this.request, this, error)
      const { language } = this.request
      const [first] = details
      const what = first && translate(language, first.message, first)
      return { status, type, sentence, message: messageOf({ message: sentence, details }, language, what) }
    })
    app.setErrorHandler((error: FastifyError, req, reply) => refuse(req, reply, error))
    app.setNotFoundHandler((req, reply) => refuse(req, reply, app.refusalOf(req, faults.routeNotFound())))
    app.decorate('refusalOf', ({ url, method }, nothing) => {
      const path = url.split('?')[0]!.replace(/(?<=.)\/$/, '')
      const allowed = [...new Set(routes.filter(({ matches }) => matches.test(path)).map((route) => route.method))]
      if (allowed.length === 0 || allowed.includes(method) || method === 'OPTIONS') return nothing
      return faults.methodNotAllowed([], { allow: allowed.sort().join(', ') })
    })
  },
  { name: 'failures', dependencies: ['envelope', '@fastify/sensible'] },
)

function refuse(req: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  reply.vary('Accept-Language')
  return answer(req, reply, error)
}

/**
 * Answers with the failure that the error means. Used by the error handler, and by Fastify for addresses it cannot
 * parse.
 */
export function answer(req: FastifyRequest, reply: FastifyReply, error: Error): FastifyReply {
  const fault = begin(req, reply, error)
  const language = languageFor(req.headers['accept-language'])
  return reply
    .type('application/json; charset=utf-8')
    .serializer((body: string) => body)
    .send(failureBody(fault, req.id, language))
}

function begin(req: FastifyRequest, reply: FastifyReply, error: Error): Fault {
  const fault = faultOf(error, req)
  req.fault = fault
  if (fault.status >= 500) logFailure(req, error, fault)
  if (fault.status === 401) reply.header('www-authenticate', 'Bearer')
  // A client that cannot know the outcome must not be advised to repeat the request.
  if (fault.status === 503 && fault.type !== 'OUTCOME_UNKNOWN') reply.header('retry-after', '1')
  linger(req.raw, reply.raw)
  reply
    .code(fault.status)
    .headers(fault.headers)
    .header('content-language', languageFor(req.headers['accept-language']))
  return fault
}

/** The failure body as text; also written straight to the socket for requests that are not HTTP. */
export function failureBody(fault: Fault, requestId: string, language: Language): string {
  const details = fault.details.map((detail) => ({ ...detail, message: translate(language, detail.message, detail) }))
  return JSON.stringify({
    code: fault.status,
    message: messageOf(fault, language, details[0]?.message),
    data: null,
    error: { type: fault.type, details },
    requestId,
  })
}

/** For clients that show only the message: the refusal, then the first problem, and how many more there are. */
function messageOf(
  { message, details }: Pick<Fault, 'message' | 'details'>,
  language: Language,
  first: string | undefined,
): string {
  const sentence = translate(language, message)
  if (first === undefined) return sentence
  const what = `${subjectOf(details[0]!)}${first}`
  const more = details.length > 1 ? translate(language, 'and {count} more', { count: details.length - 1 }) : ''
  return language === 'zh-CN'
    ? `${sentence}：${what}${more && `（${more}）`}`
    : `${sentence}: ${what}${more && ` (${more})`}`
}

const VERB = /^(?:must|is|has|does|do|can|cannot|contains|lacks|leads|lies|needs|occurs|owns) /

/** A sentence without a subject is about its field, or about the body as a whole. */
function subjectOf({ path, message }: Detail): string {
  const [, field] = /^(?:body|query|params|headers)\.(.+)$/.exec(path ?? '') ?? /^(body)$/.exec(path ?? '') ?? []
  return field && VERB.test(message) ? `${field} ` : ''
}

const byClientError: Record<string, () => Fault> = {
  HPE_HEADER_OVERFLOW: faults.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: faults.requestTimeout,
}
/** How long a client has to read why it was refused. */
const FAREWELL_MS = 1000

/**
 * For bytes that never became a request: sends the envelope, then closes the connection, whatever the client still
 * sends. Behind an answer that is under way nothing is sent: its reader would take it for a part of that.
 */
export function answerClientError(
  this: FastifyInstance,
  error: Error & { code?: string },
  socket: import('node:net').Socket,
): void {
  const answers = [...(this.lifetime.connections.get(socket)?.values() ?? [])]
  const isAnswering = answers.some(({ headersSent }) => headersSent)
  if (!socket.writable || isAnswering || error.code === 'ECONNRESET') return void socket.destroy()
  const fault = (byClientError[error.code ?? ''] ?? faults.badRequest)()
  const requestId = crypto.randomUUID()
  const body = failureBody(fault, requestId, 'en')
  socket.end(
    `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-language: en\r\ncontent-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\nconnection: close\r\n\r\n${body}`,
  )
  // Half closed it would stay open for as long as the client keeps sending.
  setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
}

const byFastifyCode: Record<string, () => Fault> = {
  FST_ERR_CTP_INVALID_JSON_BODY: faults.malformedJson,
  FST_ERR_CTP_EMPTY_JSON_BODY: faults.malformedJson,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: faults.mediaType,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: faults.badRequest,
  FST_ERR_BAD_URL: faults.badRequest,
  FST_ERR_MAX_PARAM_LENGTH: faults.uriTooLong,
}

const FOREIGN_KEY = '23503'

function faultOf(error: Error & Partial<FastifyError>, req: FastifyRequest): Fault {
  if (error instanceof Fault) return canBeNarrowed(error, req) ? error : faults.unavailable()
  if (error.validation) return faults.validation(violationsIn(req, error.validationContext ?? 'params'))
  // The system administrator may act in any tenant, but the keys allow nothing there to belong to a user of another.
  if (error.code === FOREIGN_KEY && isElsewhere(req)) return faults.notInTenant()
  if (error instanceof OutcomeUnknown) return faults.outcomeUnknown()
  if (isUnavailable(error)) return faults.unavailable()
  // Only the operator can help, so a client need not ask again every second.
  if (error instanceof UnknownKey) return faults.secretUnreadable([], { 'retry-after': '300' })
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(req)
  const known = byFastifyCode[error.code ?? '']
  if (known) return known()
  if (error.code?.startsWith('FST_') && error.statusCode === 400) return faults.badRequest()
  // The client left in the middle of its body; no one reads this answer.
  if (req.raw.destroyed && !req.raw.complete) return faults.badRequest()
  return faults.internal()
}

/** Where no list can be narrowed, it was the database that was slow. */
function canBeNarrowed({ type }: Fault, { routeOptions }: FastifyRequest): boolean {
  return type !== 'TOO_COSTLY' || hasPages(routeOptions.schema?.querystring as z.ZodType | undefined)
}

function bodyTooLarge({ routeOptions }: FastifyRequest): Fault {
  return faults.tooLarge([{ path: 'body', limit: routeOptions.bodyLimit, message: 'no more than {limit} bytes' }])
}

/**
 * The order in which Fastify validates. Parts before the failed one have already been replaced by their parsed values.
 */
const PARTS = ['params', 'body', 'querystring', 'headers'] as const

/** Fastify stops at the first part that fails; this reports all of them from that part on. */
export function violationsIn(req: FastifyRequest, failed: string = PARTS[0]): Detail[] {
  const schema = req.route.schema as Record<string, z.ZodType> | undefined
  return PARTS.slice(PARTS.indexOf(failed as never)).flatMap((part) => {
    const name = part === 'querystring' ? 'query' : part
    return violationsOf(name, req[name], schema?.[part]?.safeParse(req[name])?.error?.issues ?? [])
  })
}

function logFailure(req: FastifyRequest, error: Error, fault: Fault) {
  const facts = {
    err: error,
    requestId: req.id,
    traceId: req.traceId,
    // Not `req.route`: an address that cannot be parsed has passed no hook.
    route: req.routeOptions.url,
    status: fault.status,
  }
  if (fault.status === 500) req.log.error(facts, 'unexpected failure')
  else req.log.warn({ ...facts, err: undefined, reason: `${error.name}: ${error.message}` }, 'unavailable')
}

/** `/tasks/:id` as a pattern for addresses; `/files/*` too. */
function patternOf(url: string): RegExp {
  return new RegExp(
    `^${url
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/(?<!:):[A-Za-z]+/g, '[^/]+')
      .replaceAll('::', ':')
      .replace(/\\\*/g, '.*')}$`,
  )
}
