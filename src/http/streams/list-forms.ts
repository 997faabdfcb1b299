import type { FastifyReply, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { z } from 'zod'
import type { Scope } from '../../data/tx/scope.ts'
import { faults } from '../../kernel/fault.ts'
import { isTooDeep, type Listing, type Next, toPage } from '../../kernel/page.ts'
import { namerOf } from '../language/former-users.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Lets every route that declares a list answer it in this form too. For `hooks` of a domain: before the routes. */
    offerListsAs(form: ListForm): void
  }
  interface FastifyContextConfig {
    /** The answer is a list that can be had whole in other forms; what it is called in the name of a file. */
    list?: string
  }
  interface FastifySchema {
    /** the other media types in which its list is sent, each with its schema */
    forms?: Readonly<Record<string, z.ZodType>>
  }
}

/** A form of whole lists beside pages of JSON, such as a table for a spreadsheet. */
export interface ListForm {
  /** the media type, which Accept has to name: who names none of them gets JSON */
  type: string
  /** what the document says of its body */
  schema: z.ZodType
  /** the parameters of its own */
  query: z.core.$ZodLooseShape
  refuses: NonNullable<FastifySchema['refuses']>
  /** Answers the request with the list. It is audited. */
  answer(req: FastifyRequest, reply: FastifyReply, list: WholeList): Promise<FastifyReply>
}

export interface WholeList {
  /** what it is called */
  name: string
  /** the fields of each row, in the order of the view */
  fields: readonly string[]
  /**
   * The rows of a moment, page by page, in the form of the view: the route itself reads them, with the caller's filters,
   * order, rights and visibility. @throws what the route refuses with
   */
  pages(scope: Scope): AsyncGenerator<Row[]>
}
export type Row = Record<string, unknown>

/** What says which part of a list is wanted. */
const PART = ['page', 'pageSize', 'limit', 'before', 'after', 'behind'] as const
const SIZE = 500

/** Lets lists be answered in other forms than JSON, which domains bring. */
export const listForms = fp(
  async (app) => {
    const forms: ListForm[] = []
    app.decorate('offerListsAs', (form) => void forms.push(form))
    app.addHook('onRoute', (route) => {
      const name = route.config?.list
      if (name === undefined || forms.length === 0) return
      const list = openList(route, name)
      const { handler } = route
      route.handler = async function (req, reply) {
        reply.vary('Accept')
        const form = forms.find(({ type }) => accepts(req.headers.accept, type))
        if (!form) return handler.call(this, req, reply)
        req.beAudited(reply)
        return form.answer(req, reply, list(req, reply))
      }
      route.schema = describe(route.schema!, forms)
    })
  },
  { name: 'list-forms', dependencies: ['envelope', 'former-users', 'audit'] },
)

/** Whether an Accept header names a media type, without wildcards, and would rather have it than JSON. */
function accepts(header: string | undefined, type: string): boolean {
  const wanted = new Map(
    (header ?? '').split(',').map((range) => {
      const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [name, Number(weight ?? 1)]
    }),
  )
  return (wanted.get(type) ?? 0) > (wanted.get('application/json') ?? 0)
}

function openList(route: RouteOptions, name: string) {
  const { handler, schema } = route
  const { shape } = schema!.querystring as z.ZodObject
  const noPart = Object.fromEntries(PART.map((part) => [part, undefined]))
  // A list that is always numbered continues by numbers, any other below the last row.
  const first = { page: shape.page?.safeParse(undefined).data as number }
  const fields = fieldsOf(schema!)

  return (req: FastifyRequest, reply: FastifyReply): WholeList => ({
    name,
    fields,
    async *pages(scope) {
      const nameFormer = namerOf(route)
      const { actor } = req
      const filters = { ...(req.query as object), ...noPart }
      for (let place: Next | undefined = first; place; ) {
        if ('page' in place && isTooDeep((place.page ?? 0) * SIZE)) throw faults.pageTooDeep()
        let next: Next | undefined
        const ask = derived(req, { scope, asOf: scope, actor, query: { ...filters, ...place } })
        const noted = (listing: Listing<Row>) => {
          next = listing.next
          return listing
        }
        const tell = derived(reply, {
          list: (listing: Listing<Row>) => noted(listing).rows,
          page: (listing: Listing<Row>) => toPage(noted(listing)),
          truncated() {},
        })
        const answer = (await handler.call(req.server as never, ask, tell)) as Row[] | { items: Row[] }
        nameFormer?.(answer, reply)
        yield Array.isArray(answer) ? answer : answer.items
        place = next
      }
    },
  })
}

/** The same thing with other properties. */
function derived<Thing extends object>(thing: Thing, properties: Record<string, unknown>): Thing {
  const described = Object.entries(properties).map(([name, value]) => [name, { value, writable: true }])
  return Object.create(thing, Object.fromEntries(described))
}

function fieldsOf({ response }: FastifySchema): string[] {
  const [view] = Object.values(response as Record<string, z.ZodType>)
  const rows = (view instanceof z.ZodObject ? view.shape.items : view) as z.ZodArray<z.ZodObject>
  return Object.keys(rows.element.shape)
}

function describe(schema: FastifySchema, forms: readonly ListForm[]): FastifySchema {
  const query = schema.querystring as z.ZodObject
  return {
    ...schema,
    querystring: forms.reduce((all, form) => all.extend(form.query), query),
    forms: Object.fromEntries(forms.map((form) => [form.type, form.schema])),
    refuses: [...(schema.refuses ?? []), ...forms.flatMap(({ refuses }) => refuses)],
  }
}
