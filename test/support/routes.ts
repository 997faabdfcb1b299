import type { z } from 'zod'
import { collectRoutes, type DeclaredRoute } from '../../tools/openapi/routes.ts'
import { apart, outside } from './domains.ts'

export { buildOffline } from '../../tools/openapi/routes.ts'

/** One route of the live service, as it was declared. */
export interface Route
  extends Pick<DeclaredRoute, 'method' | 'access' | 'beside' | 'idempotent' | 'keyed' | 'deprecated'> {
  /** below /api/v1, with its parameters: `/tasks/:id` */
  path: string
  /** the plug-in or domain from outside that it belongs to */
  domain: string | undefined
  operationId: string
  summary: string
  params: string[]
  schema: {
    params?: z.ZodObject
    querystring?: z.ZodObject
    body?: z.ZodType
    response: Record<string, z.ZodType>
    makesNothing?: string
  }
}

export const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`
/** Routes behind their names, for the cases of a test. */
export const named = (routes: readonly Route[]) => routes.map((route) => [nameOf(route), route] as const)

let listed: Promise<readonly Route[]> | undefined

/** Every route below /api/v1; the service is built once for all tests of a process. */
export function listRoutes(): Promise<readonly Route[]> {
  listed ??= readRoutes()
  return listed
}

/** Whether this run walks only what DOMAINS adds: the rest of the service is walked by the projects `quick` and `api`. */
export const walksOutside = process.env.WALKED === 'outside'

/** The routes that a suite of this run attacks. */
export async function listWalked(): Promise<readonly Route[]> {
  const routes = await listRoutes()
  return walksOutside ? routes.filter(({ domain }) => outside.some(({ name }) => name === domain)) : routes
}

async function readRoutes(): Promise<readonly Route[]> {
  const named = new Set(apart.map(({ name }) => name))
  return (await collectRoutes()).map(
    ({ method, url, access, beside, idempotent, keyed, deprecated, schema, domain }) => {
      return {
        method,
        path: url.replace('/api/v1', ''),
        domain: named.has(domain) ? domain : undefined,
        access,
        beside,
        idempotent,
        keyed,
        deprecated,
        operationId: schema.operationId!,
        summary: schema.summary!,
        params: [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!),
        schema: schema as Route['schema'],
      }
    },
  )
}
