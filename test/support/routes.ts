import type { z } from 'zod'
import { collectRoutes, type DeclaredRoute } from '../../tools/openapi/routes.ts'

export { buildOffline } from '../../tools/openapi/routes.ts'

/** One route of the live service, as it was declared. */
export interface Route extends Pick<DeclaredRoute, 'method' | 'access' | 'idempotent'> {
  /** below /api/v1, with its parameters: `/tasks/:id` */
  path: string
  operationId: string
  summary: string
  params: string[]
  schema: { params?: z.ZodObject; querystring?: z.ZodObject; body?: z.ZodType; response: Record<string, z.ZodType> }
}

/** Every route below /api/v1. */
export async function listRoutes(): Promise<Route[]> {
  return (await collectRoutes()).map(({ method, url, access, idempotent, schema }) => ({
    method,
    path: url.replace('/api/v1', ''),
    access,
    idempotent,
    operationId: schema.operationId!,
    summary: schema.summary!,
    params: [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    schema: schema as Route['schema'],
  }))
}
