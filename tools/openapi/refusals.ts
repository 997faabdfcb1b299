import { dutyFaults } from '../../src/http/request/gate.ts'
import { tenancyFaults } from '../../src/http/request/tenancy.ts'
import { faults, notFound } from '../../src/kernel/fault.ts'
import { hasPages } from '../../src/kernel/page.ts'
import { type Refusal, responseOf } from './refusal-response.ts'
import type { DeclaredRoute } from './routes.ts'
import type { Json } from './schemas.ts'

const CLOSED = [tenancyFaults.disabled, tenancyFaults.expired]
/** What any signed-in person can be refused with. */
const HELD = [...CLOSED, dutyFaults.passwordChangeRequired, dutyFaults.secondFactorMissing]

/** Refusals that whole groups of operations share, each a component. */
const SHARED: Record<string, Refusal[]> = {
  BadRequest: [faults.validation, faults.badRequest],
  BadBody: [faults.validation, faults.malformedJson, faults.badRequest],
  BadCommand: [faults.validation, faults.malformedJson, faults.badRequest, faults.keyRequired],
  KeyReused: [faults.keyReused],
  Unauthenticated: [faults.unauthenticated],
  TenantClosed: CLOSED,
  Held: HELD,
  Forbidden: [faults.permissionDenied, ...HELD],
  SystemOnly: [faults.permissionDenied, faults.roleRequired, ...HELD],
  NoSuchTenant: [tenancyFaults.notFound],
  NotFound: [notFound('Task'), tenancyFaults.notFound],
  PayloadTooLarge: [faults.tooLarge],
  UriTooLong: [faults.uriTooLong],
  UnsupportedMediaType: [faults.mediaType],
  HeadersTooLarge: [faults.headersTooLarge],
  TooManyRequests: [faults.rateLimited],
  Internal: [faults.internal],
  Unavailable: [faults.unavailable],
  UnavailableOrUnknown: [faults.unavailable, faults.outcomeUnknown],
}

/** The components. */
export function sharedRefusals(): Record<string, Json> {
  return Object.fromEntries(Object.entries(SHARED).map(([name, refusals]) => [name, responseOf(refusals)]))
}

/** The refusals of a route, by status: those that follow from its declaration, and its own. */
export function refusalsOf(route: DeclaredRoute): Record<string, Json> {
  const own = [...byDeclaration(route), ...(route.schema.refuses ?? [])]
  const usual = namesOfUsual(route).flatMap((name) => SHARED[name]!)
  const byStatus = Map.groupBy([...own, ...usual], (refusal) => refusal().status)
  return Object.fromEntries(
    [...byStatus].map(([status, refusals]) => {
      const name = sharedName(refusals)
      return [status, name ? { $ref: `#/components/responses/${name}` } : responseOf(refusals)]
    }),
  )
}

/**
 * Every operation works in a tenant, which a token, a header or a body names, and which may be missing or closed; and a
 * limit may be set on requests of any kind.
 */
function namesOfUsual({ method, access, closedToKeys, schema }: DeclaredRoute): string[] {
  return [
    method === 'GET' ? 'BadRequest' : 'BadBody',
    ...(access === 'anyone' ? [] : ['Unauthenticated']),
    closedToKeys ? 'Forbidden' : forbiddenBy(access),
    schema.params ? 'NotFound' : 'NoSuchTenant',
    ...(method === 'GET' ? [] : ['PayloadTooLarge', 'UnsupportedMediaType']),
    ...(schema.params ? ['UriTooLong'] : []),
    'TooManyRequests',
    'HeadersTooLarge',
    'Internal',
    method === 'GET' ? 'Unavailable' : 'UnavailableOrUnknown',
  ]
}

function forbiddenBy(access: string): string {
  if (access === 'anyone') return 'TenantClosed'
  if (access === 'signed-in') return 'Held'
  return access.startsWith('system:') ? 'SystemOnly' : 'Forbidden'
}

function byDeclaration({ keyed, versioned, schema }: DeclaredRoute): Refusal[] {
  return [
    ...(hasPages(schema.querystring) ? [faults.pageTooDeep, faults.tooCostly] : []),
    ...(versioned ? [faults.preconditionFailed] : []),
    ...(keyed ? [faults.keyRequired, faults.keyReused] : []),
  ]
}

/** What these refusals are called where they are shared. */
function sharedName(refusals: Refusal[]): string | undefined {
  const types = typesOf(refusals)
  return Object.keys(SHARED).find((name) => typesOf(SHARED[name]!) === types)
}

function typesOf(refusals: Refusal[]): string {
  return [...new Set(refusals.map((refusal) => refusal().type))].sort().join()
}
