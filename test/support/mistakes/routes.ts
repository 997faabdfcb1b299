import { z } from 'zod'
import type { Breach } from '../exceptions.ts'
import type { Route } from '../routes.ts'
import { lineOf, type Source } from '../source.ts'

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

/** A permission that opens nothing is given to people who then find nothing. */
export function findIdlePermissions(routes: readonly Route[], permissions: readonly string[]): Breach[] {
  const demanded = new Set(routes.map(({ access }) => access.replace(/^system:/, '')))
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

function* fieldsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'properties') yield* Object.keys(value as object)
    yield* fieldsIn(value)
  }
}

/** What anybody may send, they may send a million times. */
export function findOpenCommandsWithoutLimit(sources: readonly Source[]): Breach[] {
  return sources
    .filter(({ path }) => path.endsWith('.routes.ts'))
    .flatMap(({ path, text }) => {
      const routes = [...text.matchAll(/\w\.(get|head|post|put|patch|delete)(?:<\w*>)?\(\s*['`](\/[^'`]*)/g)]
      return routes.flatMap(({ 1: method, 2: address, index }, at) => {
        const route = text.slice(index, routes[at + 1]?.index ?? text.length)
        if (/get|head/.test(method!) || !route.includes("access: 'anyone'") || /\blimits?\b/.test(route)) return []
        return {
          place: `${path} ${address}`,
          says: `${path}:${lineOf(text, index)} lets anyone send ${address} as often as they like: give its config a limit`,
        }
      })
    })
}

const HOLD = /(?:\b(?:const|let) (\w+) =[^\n;]*)?\bstreams\.hold\(/g

/** A request that is held takes one of the places that a tenant has for streams, until somebody ends it. */
export function findHeldForever(sources: readonly Source[]): Breach[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(HOLD)]
      .filter(([, name]) => name === undefined || !new RegExp(`\\b${name}\\.end\\(`).test(text))
      .map(({ index }) => ({
        place: path,
        says: `${path}:${lineOf(text, index)} holds a request and never ends it, so its place is taken until the client leaves: const held = app.streams.hold(req, reply), and held.end('…') in finally`,
      })),
  )
}

/** A transaction that fails after the bytes of a file are gone leaves a row without bytes. */
export function findBytesRemovedBeforeCommit(sources: readonly Source[]): Breach[] {
  return sources
    .filter(({ path }) => path.endsWith('.actions.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bstorage\.remove\(/g)]
        .filter(({ index }) => !/\b(afterCommit|onEnd)\([^;]*$/.test(text.slice(Math.max(0, index - 200), index)))
        .map(({ index }) => ({
          place: `${path} ${[...text.slice(0, index).matchAll(/^(?:export )?(?:async )?function (\w+)/gm)].at(-1)?.[1]}`,
          says: `${path}:${lineOf(text, index)} removes bytes before the commit, which may still fail: do it in tx.afterCommit()`,
        })),
    )
}
