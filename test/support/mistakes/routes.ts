import { z } from 'zod'
import type { Breach } from '../exceptions.ts'
import type { Route } from '../routes.ts'

const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** A person who may only look may not change: a command demands its own permission. */
export function findCommandsForReaders(routes: readonly Route[]): Breach[] {
  return routes
    .filter(({ method, access }) => method !== 'GET' && /^[^:]+:(list|view)$/.test(access))
    .map((route) => ({
      place: nameOf(route),
      says: `${nameOf(route)} changes something and demands ${route.access}, which those hold who may only read: demand a permission to change`,
    }))
}

/**
 * A permission that opens nothing is given to people who then find nothing.
 * @param opened the permissions that open a page of the front ends
 */
export function findIdlePermissions(
  routes: readonly Route[],
  permissions: readonly string[],
  opened: readonly string[] = [],
): Breach[] {
  const demanded = new Set([...opened, ...routes.map(({ access }) => access.replace(/^system:/, ''))])
  return permissions
    .filter((permission) => !demanded.has(permission))
    .map((permission) => ({
      place: permission,
      says: `${permission} is a permission that no route demands: demand it in the config.access of a route, or remove it from the declaration of its domain`,
    }))
}

/** A POST to a list makes something, and is answered 201; everything else that succeeds is 200, or leads a browser on. */
export function findWrongSuccess(routes: readonly Route[]): Breach[] {
  const lists = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  return routes.flatMap((route) => {
    const makes = route.method === 'POST' && lists.has(route.path)
    const [declared] = Object.keys(route.schema.response)
    const leadsOn = route.method === 'GET' && route.access === 'anyone' && declared === '302'
    const wanted = makes ? '201' : route.method === 'POST' || leadsOn ? declared : '200'
    if (declared === wanted) return []
    const why = makes ? 'makes something' : 'makes nothing'
    return {
      place: nameOf(route),
      says: `${nameOf(route)} ${why} and declares ${declared}: declare response: { ${wanted}: … }`,
    }
  })
}

const SECRET = /password|hash|secret|salt|token$/i

/** What is kept to be compared with never leaves. */
export function findSecretsInViews(routes: readonly Route[]): Breach[] {
  return routes.flatMap((route) =>
    Object.values(route.schema.response)
      .filter((view) => view instanceof z.ZodType)
      .flatMap((view) => [...fieldsIn(z.toJSONSchema(view, { io: 'output', unrepresentable: 'any' }))])
      .filter((field) => SECRET.test(field))
      .map((field) => ({
        place: `${nameOf(route)} ${field}`,
        says: `${nameOf(route)} answers with ${field}, which reads like a secret: leave it out of the view`,
      })),
  )
}

/** What has no maximum is kept, sent on and shown however long it is. A pattern and a format have one of their own. */
export function findTextsWithoutEnd(routes: readonly Route[]): Breach[] {
  return shapesOf(routes, 'body')
    .filter(({ shape }) => shape.type === 'string')
    .filter(({ shape }) => !['maxLength', 'enum', 'const', 'format', 'pattern'].some((end) => end in shape))
    .map(({ place }) => ({
      place,
      says: `${place} may be a text of any length: give it a maximum, as text(255) and longText(8000) do`,
    }))
}

/** All of an address is text, so a number in it is always refused; `z.coerce` would read `0x10`. */
export function findNumbersInQueries(routes: readonly Route[]): Breach[] {
  return shapesOf(routes, 'querystring')
    .filter(({ shape }) => /^(number|integer|boolean)$/.test(String(shape.type)))
    .map(({ place }) => ({
      place,
      says: `${place} is no text, as everything in a query is: declare it by Count, bounded(…), Flag or idInPathOf(…)`,
    }))
}

interface Shape {
  /** `POST /hats size` */
  place: string
  shape: Readonly<Record<string, unknown>>
}

function shapesOf(routes: readonly Route[], part: 'body' | 'querystring'): Shape[] {
  return routes.flatMap((route) => {
    const schema = route.schema[part]
    if (!(schema instanceof z.ZodType)) return []
    return shapesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), nameOf(route), nameOf(route))
  })
}

/** Each shape of a schema, with the name of the field that it is, or is in; not what it is documented as. */
function shapesIn(schema: unknown, route: string, place: string): Shape[] {
  if (typeof schema !== 'object' || schema === null) return []
  const shape = schema as Shape['shape']
  const { properties = {}, documented, ...others } = shape
  return [
    { place, shape },
    ...Object.entries(properties as object).flatMap(([field, inner]) => shapesIn(inner, route, `${route} ${field}`)),
    ...Object.values(others).flatMap((inner) => shapesIn(inner, route, place)),
  ]
}

function* fieldsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') yield* Object.keys(value as object)
    yield* fieldsIn(value)
  }
}
