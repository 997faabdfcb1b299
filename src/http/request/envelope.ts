import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Listing, type Next, toPage } from '../../kernel/page.ts'
import { isWritten, Written } from '../../kernel/zod.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers an array list: its rows, `X-Total-Count` if the total was requested, `Link` if rows follow. */
    list<Row>(listing: Listing<Row>): Row[]
    /** Answers a counted listing in the Page shape, with `Link` if rows follow. */
    page<Row>(listing: Listing<Row>): ReturnType<typeof toPage<Row>>
    /** Says in `X-Truncated` that a part of the answer is incomplete. */
    truncated(part: string): void
    /** Answers 201 with the address of what was created, relative to /api/v1. */
    created<View>(path: string, view: View): View
  }
}

/** The one body of every failure. */
export const FailureView = z
  .object({
    code: z.number().int().describe('The HTTP status'),
    message: z.string().describe('A message for people, in the language of the request'),
    data: z.null(),
    error: z.object({
      type: z.string().meta({ id: 'FailureType', description: 'A stable name for programs to decide on' }),
      details: z.array(z.looseObject({ path: z.string().optional(), message: z.string() })),
    }),
    requestId: z.string(),
  })
  .meta({ id: 'Failure' })

/** A view inside the envelope, for the document. */
export function enveloped(view: z.ZodType) {
  return z.object({ code: z.literal(0), message: z.literal('success'), data: view })
}

/**
 * Wraps every answer: a route names only its own view, and its one 2xx status is the status of success. Views are
 * written by a serialiser compiled from the same Zod schema, which drops what the view does not name; encoding by Zod
 * at run time would cost a tenth of a list's throughput.
 */
export const envelope = fp(
  async (app) => {
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler as FastifySchemaCompiler<unknown> as never)
    app.addHook('onRoute', (route) => answerWithDeclaredStatus(route))
    app.decorateReply('list', list)
    app.decorateReply('page', page)
    app.decorateReply('truncated', truncated)
    app.decorateReply('created', created)
  },
  { name: 'envelope' },
)

const PREFIX = '{"code":0,"message":"success","data":'
/** Names are for the document; the serialiser gets the whole view inline. */
const NAMELESS = z.registry<object>()

/** Compiled at the first answer: of a hundred routes, a process may never need most. */
function serializerCompiler({ schema, httpStatus }: { schema: z.ZodType; httpStatus: string }) {
  let stringify: ((view: unknown) => string) | undefined
  const text = (view: unknown) => {
    stringify ??= compile(schema)
    return stringify(view)
  }
  return httpStatus.startsWith('2') ? writerOf(text) : text
}

/** The text of a successful answer. @param text writes its view */
export function writerOf(text: (view: unknown) => string): (view: unknown) => string {
  return (view) => `${PREFIX}${text(view)}}`
}

/** @throws for a view that cannot be written, such as a union */
export function compile(view: z.ZodType): (value: unknown) => string {
  let hasWritten = false
  const schema = z.toJSONSchema(view, {
    ...{ io: 'output', unrepresentable: 'any', metadata: NAMELESS },
    override({ zodSchema, jsonSchema }) {
      if (!isWritten(zodSchema)) return
      hasWritten = true
      jsonSchema[WRITTEN] = true
    },
  })
  const stringify = fastJson(forStringify(schema) as never)
  return hasWritten ? aroundWritten(stringify) : stringify
}

const WRITTEN = 'x-written'

/** Removes the quotes around what is JSON already. */
function aroundWritten(stringify: (value: unknown) => string): (value: unknown) => string {
  return (value) => {
    const pieces = stringify(value).split(Written.MARK)
    const last = pieces.length - 1
    return pieces.reduce((text, piece, at) => {
      if (at % 2 === 1) return text + piece
      return text + piece.slice(at === 0 ? 0 : 1, at === last ? undefined : -1)
    }, '')
  }
}

/** The single 2xx that a route declares, or the 302 of one that leads elsewhere; the health routes declare none. */
export function successStatus(route: { schema?: { response?: unknown } | undefined }): number | undefined {
  const declared = Object.keys((route.schema?.response as object | undefined) ?? {}).filter(
    (status) => status.startsWith('2') || status === '302',
  )
  return declared.length === 1 ? Number(declared[0]) : undefined
}

/** False for a route that answers with bytes: it declares their media type instead, and sends them itself. */
function hasView(route: RouteOptions, status: number): boolean {
  return (route.schema?.response as Record<string, unknown> | undefined)?.[status] instanceof z.ZodType
}

function answerWithDeclaredStatus(route: RouteOptions) {
  const status = successStatus(route)
  if (!status || !hasView(route, status)) return
  const handler = route.handler as (this: unknown, req: FastifyRequest, reply: FastifyReply) => unknown
  route.handler = async function (this: unknown, req: FastifyRequest, reply: FastifyReply) {
    if (status !== 200) reply.code(status)
    const answer = await handler.call(this, req, reply)
    // A command without a result answers `data: null`; a stream has been sent by the handler.
    return answer === undefined && !reply.raw.headersSent ? null : answer
  } as never
}

function list<Row>(this: FastifyReply, listing: Listing<Row>): Row[] {
  if (listing.total !== undefined) this.header('x-total-count', String(listing.total))
  describe(this, listing)
  return listing.rows
}

/** The headers of both shapes of a list. */
function describe(reply: FastifyReply, { cut, isMoreThanTotal, next }: Listing<unknown>): void {
  if (cut) reply.truncated('items')
  if (isMoreThanTotal) {
    reply.truncated('total')
    reply.header('x-total-count-exact', 'false')
  }
  if (next) addLink(reply, `<${nextAddress(reply.request, next)}>; rel="next"`)
}

/** Puts a link beside those that the answer has. */
export function addLink(reply: FastifyReply, link: string): void {
  const others = reply.getHeader('link')
  reply.header('link', others === undefined ? link : `${others}, ${link}`)
}

/** The same address as it was sent, except for where the list continues. */
function nextAddress(req: FastifyRequest, next: Next): string {
  const [path] = req.url.split('?', 1)
  const search = new URLSearchParams(req.url.slice(path!.length))
  if (!('page' in next)) search.delete('page')
  for (const [name, value] of Object.entries(next)) search.set(name, String(value))
  return `${path}?${search}`
}

function page<Row>(this: FastifyReply, listing: Listing<Row>) {
  describe(this, listing)
  return toPage(listing)
}

function truncated(this: FastifyReply, part: string): void {
  const others = this.getHeader('x-truncated')
  this.header('x-truncated', others === undefined ? part : `${others}, ${part}`)
}

function created<View>(this: FastifyReply, path: string, view: View): View {
  this.header('location', `/api/v1${path}`)
  return view
}

type Json = Record<string, any>

/**
 * What the serialiser needs of a JSON schema: types and names. `anyOf` with null would make it validate at run time.
 */
function forStringify(schema: Json): Json {
  if (schema.anyOf?.some((option: Json) => option.type === 'null')) {
    const [kept, ...others] = schema.anyOf.filter((option: Json) => option.type !== 'null')
    if (others.length) throw new Error('A view is a nullable of one thing, not a union')
    return { ...forStringify(kept), nullable: true }
  }
  if (schema[WRITTEN]) return { type: 'string', format: 'unsafe' }
  const { type, properties, items, required, nullable, additionalProperties } = schema
  return {
    ...(type && { type }),
    ...(nullable && { nullable }),
    ...(required && { required }),
    ...(properties && { properties: mapValues(properties, forStringify) }),
    ...(items && { items: forStringify(items) }),
    ...(schema.$ref && { $ref: schema.$ref }),
    ...(schema.$defs && { $defs: mapValues(schema.$defs, forStringify) }),
    ...(additionalProperties && {
      additionalProperties: typeof additionalProperties === 'object' ? forStringify(additionalProperties) : true,
    }),
  }
}

function mapValues(record: Json, change: (value: Json) => Json): Json {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
