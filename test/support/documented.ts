import { expect } from 'vitest'
import { z } from 'zod'
import { servedDocument } from './domains.ts'

type Json = Record<string, any>

/** What was asked and answered, as it went over the line. */
export interface Exchange {
  method: string
  /** with its query */
  url: string
  status: number
  body: unknown
}

interface Operation {
  name: string
  method: string
  /** the address it answers at, and how many parameters are in it */
  pattern: RegExp
  parameters: number
  responses: Json
}

/** What did not reach an operation: the test's own client resolves the dots in an address before it sends it. */
const NOWHERE = ['ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED']

let loaded: { operations: Operation[]; components: Json } | undefined
const shapes = new Map<string, z.ZodType>()

/**
 * Compares an answer with the document: its status is one that the operation is said to have, its body has exactly the
 * fields of the schema, and the type of a failure is listed. An answer of no operation only has the failure's shape.
 */
export function assertDocumented({ method, url, status, body }: Exchange): void {
  const type = (body as Json | undefined)?.error?.type
  const operation = operationAt(method === 'HEAD' ? 'GET' : method, pathOf(url))
  const isHeadless = method === 'HEAD' && status === 405
  if (!operation || isHeadless || NOWHERE.includes(type)) {
    if (status >= 400 && body !== undefined) assertShape('Failure', { $ref: '#/components/schemas/Failure' }, body)
    return
  }
  const what = `${operation.name} answers ${status}`
  const response = operation.responses[status]
  expect(response, `${what}, which is not in the document`).toBeDefined()
  const content = resolve(response).content?.['application/json']
  if (body === undefined || !content) return
  assertShape(what, content.schema, body)
  if (status >= 400)
    expect(Object.keys(content.examples), `${what} with a type that is not in the document`).toContain(type)
}

function assertShape(what: string, schema: Json, body: unknown) {
  let shape = shapes.get(what)
  if (!shape) {
    shape = z.fromJSONSchema({ ...closed(schema), $defs: namedIn(schema) } as never)
    shapes.set(what, shape)
  }
  const { error } = shape.safeParse(body)
  expect(error?.issues, `${what}, and the body is not what the document says`).toBeUndefined()
}

/** The schemas that one leads to by their names, without room for other fields. */
function namedIn(schema: Json, found: Json = {}): Json {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found[name!]) continue
    const named = load().components.schemas[name!]
    found[name!] = closed(named)
    namedIn(named, found)
  }
  return found
}

/** The schema without room for fields that it does not name. */
function closed(schema: any): any {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    key === '$ref' ? (value as string).replace('#/components/schemas/', '#/$defs/') : closed(value),
  ])
  return { ...(schema.properties && { additionalProperties: false }), ...Object.fromEntries(entries) }
}

/** The address as it is asked for: the test's own client resolves the dots in it. */
function pathOf(url: string): string {
  return URL.parse(url, 'http://localhost')?.pathname ?? url.split('?')[0]!
}

/** The operation at an address; of two that fit, the one with fewer parameters. */
function operationAt(method: string, path: string): Operation | undefined {
  return load()
    .operations.filter((operation) => operation.method === method && operation.pattern.test(path))
    .sort((a, b) => a.parameters - b.parameters)[0]
}

function resolve(item: Json): Json {
  return item.$ref ? load().components.responses[item.$ref.split('/').at(-1)] : item
}

function load() {
  if (loaded) return loaded
  const { paths, components } = JSON.parse(servedDocument) as Json
  const operations = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { responses }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      parameters: path.split('{').length - 1,
      responses,
    })),
  )
  loaded = { operations, components }
  return loaded
}
