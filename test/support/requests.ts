import { z } from 'zod'
import { exampleOf } from '../../tools/openapi/examples.ts'
import { KIND, openSchemas } from '../../tools/openapi/schemas.ts'
import { listRoutes, nameOf, type Route } from './routes.ts'

/**
 * What a good request to each route looks like, found in its schemas: the example of its body, what its query may say,
 * and which of its fields are the id of something. A new route needs nothing here, and is attacked from its first day.
 */
export interface Sample {
  body?: Record<string, unknown>
  /** of the query what may be left out; `addressOf` adds what may not */
  query?: string
  /** fields of the body that hold the id of another thing */
  bodyIds?: Record<string, string>
  /** parameters of the query that hold one */
  queryIds?: Record<string, string>
  /** as a user with all permissions, this takes a while: a password is hashed */
  isSlow?: true
}

/** Kinds of things that all tenants share, or that are no thing at all. */
export const SHARED_KINDS = ['permissions', 'menus', 'section', 'provider', 'tenantCode']

const routes = await listRoutes()
const schemas = openSchemas(routes)

export type Named = Pick<Route, 'method' | 'path'>
const routeOf = (route: Named): Route | undefined =>
  'schema' in route ? (route as Route) : routes.find((one) => nameOf(one) === nameOf(route))

let counter = 0

/** A good request to a route, but for its ids: what has to be unique is. */
export function sampleOf(named: Named): Sample {
  const route = routeOf(named)
  if (!route) return {}
  const { method } = route
  const { body: shape, querystring } = route.schema
  const isForm = shape && schemas.of(shape, 'input').properties?.file
  const body = shape && !isForm ? goodBody(shape, method === 'PUT') : undefined
  const bodyIds = shape && idsIn(shape)
  const query = querystring && goodQuery(querystring)
  const queryIds = querystring && idsIn(querystring)
  return {
    ...(body && { body }),
    ...(bodyIds && { bodyIds }),
    ...(query && { query }),
    ...(queryIds && { queryIds }),
    ...(Object.keys(body ?? {}).some((name) => /password$/i.test(name)) && { isSlow: true }),
  }
}

/** Of these `seedTenant` has one that no route by their name has made. */
const FURNISHED = [
  ...['sessions', 'organizations', 'contact-messages', 'notifications', 'filename', 'blog', 'orderNo', 'key'],
  ...['mails', 'deliveryId', 'deliveries'],
]

/** Everything that these suites have to know of routes and is not said, each with the cure. */
export function gapsIn(walked: readonly Route[]): string[] {
  schemas.gaps.clear()
  const found = walked.flatMap((route) => {
    const { body, query } = sampleOf(route)
    const search = Object.fromEntries(new URLSearchParams(searchOf(route, query)))
    const refused = [
      ...violationsIn(route.schema.body, body).map((field) => `its body${field}`),
      ...violationsIn(route.schema.querystring, search).map((field) => `its query${field}`),
    ]
    const unknown = kindsNamedBy(route).filter(
      (kind) => !SHARED_KINDS.includes(kind) && !FURNISHED.includes(kind) && !makerOf(kind),
    )
    return [
      ...refused.map((where) => `${nameOf(route)} refuses the example of ${where}: correct it in its .meta()`),
      ...unknown.map(
        (kind) =>
          `${nameOf(route)} takes the id of one of ${kind}, and nothing is known that makes one: add POST …/${pluralOf(kind)}, or declare what it is the id of: idInPathOf(…) in schema.params`,
      ),
    ]
  })
  return [...schemas.gaps, ...found]
}

/** How a body travels to a route: as JSON, or as the text that it is. */
export function sentAs({ schema }: Route, body: unknown): { payload?: string; headers: Record<string, string> } {
  if (!body) return { headers: {} }
  const [type = 'application/json'] = (schema as { consumes?: string[] }).consumes ?? []
  const isText = typeof body === 'string'
  return {
    payload: isText ? body : JSON.stringify(body),
    headers: { 'content-type': isText ? type : 'application/json' },
  }
}

/** What a schema refuses of a sample, as `.day`; not where it has null, as no example is known. */
function violationsIn(schema: z.ZodType | undefined, sample: unknown): string[] {
  const issues = schema?.safeParse(sample).error?.issues ?? []
  const valueAt = (path: PropertyKey[]) => path.reduce((value: any, part) => value?.[part], sample)
  return issues
    .filter(({ path }) => valueAt(path) !== null)
    .map(({ path }) => path.map((part) => `.${String(part)}`).join(''))
}

/** What a route takes ids of: in its path, its body and its query. */
export function kindsNamedBy(route: Route): string[] {
  const { bodyIds = {}, queryIds = {} } = sampleOf(route)
  return [...kindsIn(route), ...Object.values(bodyIds), ...Object.values(queryIds)]
}

/** A filled-in body: an id or a secret only if required, and the version of what was just made. */
function goodBody(body: z.ZodType, isChange: boolean): Record<string, unknown> {
  const example = exampleOf(schemas.of(body, 'input'), schemas) as Record<string, unknown>
  const entries = Object.entries(fieldsOf(body)).flatMap(([name, field]) => {
    const mayBeLeftOut = field.safeParse(undefined).success
    const isNothingToSend = /(password|token)$/i.test(name) || kindOf(field)
    if (mayBeLeftOut && (isNothingToSend || (isChange && UNIQUE.includes(name)))) return []
    if (name === 'version') return [[name, 0]]
    if (elementOf(field) instanceof z.ZodObject) return [[name, [goodBody(elementOf(field), isChange)]]]
    if (name === 'email') return [[name, `${++counter}-${example[name]}`]]
    return [[name, UNIQUE.includes(name) ? `${example[name]}-${++counter}` : example[name]]]
  })
  return entries.length ? Object.fromEntries(entries) : example
}

const UNIQUE = ['code', 'name', 'slug', 'username']

/** Its filters: of an enumeration the first, no to a question, a letter to look for. */
function goodQuery(querystring: z.ZodObject): string {
  const pairs = Object.entries(fieldsOf(querystring)).flatMap(([name, field]) => {
    if (isRequired(field)) return []
    const { enum: options, type } = schemas.of(field, 'input')
    if (options) return `${name}=${options[0]}`
    if (type === 'boolean') return `${name}=false`
    if (name === 'version') return 'version=0'
    return name === 'keyword' ? 'keyword=a' : []
  })
  return pairs.join('&')
}

const isRequired = (field: z.ZodType) => !field.safeParse(undefined).success

/**
 * A query with what the route requires.
 * @param query what is sent beside it, or in its place
 * @param ids by their kinds, for those that the query has to name
 */
export function searchOf(route: Named, query = '', ids: Record<string, number | string> = {}): string {
  const fields = Object.entries(fieldsOf(routeOf(route)?.schema.querystring ?? z.object({})))
  const sent = new URLSearchParams(query)
  const required = fields
    .filter(([name, field]) => isRequired(field) && !sent.has(name))
    .map(([name, field]) => {
      const value = ids[kindOf(field) ?? ''] ?? exampleOf(schemas.of(field, 'input'), schemas, name, nameOf(route))
      return `${name}=${encodeURIComponent(String(value))}`
    })
  return [...required, query].filter(Boolean).join('&')
}

/** The kinds of the ids that the query of a route has to name. */
export function requiredKinds(route: Named): string[] {
  const fields = Object.values(fieldsOf(routeOf(route)?.schema.querystring ?? z.object({})))
  return fields.filter(isRequired).flatMap((field) => kindOf(field) ?? [])
}

/** The address of a good request below /api/v1. @param pathIds in the places of the parameters of its path */
export function addressOf(route: Named, pathIds: readonly (number | string)[], ...search: SearchParameters): string {
  const query = searchOf(route, ...search)
  return `${fillPath(route.path, pathIds)}${query && `?${query}`}`
}
type SearchParameters = [query?: string | undefined, ids?: Record<string, number | string>]

/** Fields that name another thing, with the kind of thing. */
function idsIn(schema: z.ZodType): Record<string, string> | undefined {
  const ids = Object.entries(fieldsOf(schema)).flatMap(([name, field]) => {
    const kind = kindOf(field)
    const inside = Object.entries(fieldsOf(elementOf(field))).flatMap(([inner, field]) =>
      isRequired(field) && kindOf(field) ? [[`${name}[].${inner}`, kindOf(field)!]] : [],
    )
    if (!kind) return inside
    return SHARED_KINDS.includes(kind) ? [] : [[schemas.of(field, 'input').items ? `${name}[]` : name, kind]]
  })
  return ids.length ? Object.fromEntries(ids) : undefined
}

/** A body that names a thing in one of its fields: `assigneeId`, `roleIds[]`, `tasks[].id`. */
export function naming(body: Record<string, unknown> | undefined, field: string, id: unknown) {
  const [name, inner] = field.split('[]') as [string, string?]
  if (inner === undefined) return { ...body, [name]: id }
  if (inner === '') return { ...body, [name]: [id] }
  return { ...body, [name]: (body![name] as object[]).map((one) => ({ ...one, [inner.slice(1)]: id })) }
}

/** What a list of things has of each; for anything else nothing. */
const elementOf = (field: z.ZodType) => (field instanceof z.ZodArray ? (field.element as z.ZodType) : z.never())

function kindOf(field: z.ZodType): string | undefined {
  const schema = schemas.of(field, 'input')
  return schema[KIND] ?? schema.items?.[KIND]
}

function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape as never
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? fieldsOf(schema.unwrap() as z.ZodType)
    : {}
}

/** The route that makes things of a kind: `POST …/labels` for labels and labelId. */
export function makerOf(kind: string): Route | undefined {
  return routes.find(({ method, path }) => method === 'POST' && path.endsWith(`/${pluralOf(kind)}`))
}

/** `labelId` → labels */
export function pluralOf(kind: string): string {
  return kind.replace(/Id$/, 's')
}

/** A DELETE of what a PUT to the same address does: a member, a label. It has to be there before. */
export function isUndone({ method, path }: Named): boolean {
  return (
    method === 'DELETE' && routes.some((other) => other.method === 'PUT' && other.path === path && !other.schema.body)
  )
}

/**
 * What an id at a place in a path is the id of: the kind that its parameter declares (`idInPathOf('bookings')`), or else
 * what stands before it: `/departments/:id/members/:userId` → departments, userId.
 */
export function kindsIn(named: Pick<Route, 'path'> & Partial<Pick<Route, 'schema'>>): string[] {
  const { schema } = named.schema ? named : (routes.find(({ path }) => path === named.path) ?? {})
  const declared = fieldsOf(schema?.params ?? z.object({}))
  const pieces = named.path.split('/')
  return pieces.flatMap((piece, at) => {
    const name = /^:(\w+)/.exec(piece)?.[1]
    if (name === undefined) return []
    const kind = declared[name] && kindOf(declared[name])
    return [kind ?? (name === 'id' ? pieces[at - 1]! : name)]
  })
}

/** The path with ids in the places of its parameters, one after the other. */
export function fillPath(path: string, ids: readonly (number | string)[]): string {
  let at = 0
  return path.replace(/:\w+/g, () => String(ids[at++]))
}
