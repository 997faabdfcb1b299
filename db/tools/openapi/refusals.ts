import { tenancyFaults } from '../../../src/http/tenancy.ts'
import { type Fault, faults, notFound } from '../../../src/kernel/fault.ts'
import type { DeclaredRoute } from './routes.ts'
import type { Json } from './schemas.ts'

type Refusal = () => Fault

/** The bodies of refusals, by their type. Filled while the responses are written. */
export const refusalExamples: Record<string, Json> = {}

const FAILURE = { $ref: '#/components/schemas/Failure' }
const TENANT_CLOSED = [tenancyFaults.disabled, tenancyFaults.expired]
const TENANT_UNKNOWN = tenancyFaults.notFound
const NOTHING_THERE = notFound('Task')

/** Refusals that whole groups of operations share, each a component. */
const SHARED: Record<string, Refusal[]> = {
  BadRequest: [faults.validation, faults.badRequest],
  BadBody: [faults.validation, faults.malformedJson, faults.badRequest],
  Unauthenticated: [faults.unauthenticated],
  TenantClosed: TENANT_CLOSED,
  Forbidden: [faults.permissionDenied, ...TENANT_CLOSED],
  SystemOnly: [faults.permissionDenied, faults.roleRequired, ...TENANT_CLOSED],
  NoSuchTenant: [TENANT_UNKNOWN],
  NotFound: [NOTHING_THERE, TENANT_UNKNOWN],
  PayloadTooLarge: [faults.tooLarge],
  UriTooLong: [faults.uriTooLong],
  UnsupportedMediaType: [faults.mediaType],
  TooManyRequests: [faults.rateLimited],
  Internal: [faults.internal],
  Unavailable: [faults.unavailable],
}

/** Headers that come with a refusal of this status. */
const HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  503: ['Retry-After'],
}

export const sharedRefusals = Object.fromEntries(
  Object.entries(SHARED).map(([name, refusals]) => [name, responseOf(refusals)]),
)

/** The refusals of a route, by status: those that follow from its declaration, and its own. */
export function refusalsOf(route: DeclaredRoute): Record<string, Json> {
  const own = Map.groupBy([...byDeclaration(route), ...(route.schema.refuses ?? [])], (refusal) => refusal().status)
  const shared = new Map(sharedBy(route).map((name) => [SHARED[name]![0]!().status, name]))
  const statuses = [...new Set([...own.keys(), ...shared.keys()])].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const name = shared.get(status)
      const more = own.get(status)
      if (name && !more) return [status, { $ref: `#/components/responses/${name}` }]
      return [status, responseOf([...(more ?? []), ...(name ? SHARED[name]! : [])])]
    }),
  )
}

/**
 * Every operation works in a tenant, which a token, a header or a body names, and which may be missing or closed; and a
 * limit may be set on requests of any kind.
 */
function sharedBy({ method, access, schema }: DeclaredRoute): string[] {
  return [
    method === 'GET' ? 'BadRequest' : 'BadBody',
    ...(access === 'anyone' ? [] : ['Unauthenticated']),
    closedBy(access),
    schema.params ? 'NotFound' : 'NoSuchTenant',
    ...(method === 'GET' ? [] : ['PayloadTooLarge', 'UnsupportedMediaType']),
    ...(schema.params ? ['UriTooLong'] : []),
    'TooManyRequests',
    'Internal',
    'Unavailable',
  ]
}

function closedBy(access: string): string {
  if (access === 'anyone' || access === 'signed-in') return 'TenantClosed'
  return access.startsWith('system:') ? 'SystemOnly' : 'Forbidden'
}

function byDeclaration({ idempotent, versioned, schema }: DeclaredRoute): Refusal[] {
  const pages = schema.querystring !== undefined && 'pageSize' in schema.querystring.shape
  return [
    ...(pages ? [faults.pageTooDeep] : []),
    ...(versioned ? [faults.preconditionFailed] : []),
    ...(idempotent ? [faults.keyRequired, faults.keyReused] : []),
    ...(schema.takes?.includes('Idempotency-Key') ? [faults.keyRequired, faults.keyReused] : []),
  ]
}

/** One response: what may be refused, each with its body as an example. */
function responseOf(refusals: Refusal[]): Json {
  const examples = new Map(refusals.map((refusal) => [refusal().type, refusal()]))
  const [first] = examples.values()
  return {
    description: [...examples.values()].map(({ type, message }) => `\`${type}\` ${message}.`).join('  \n'),
    headers: Object.fromEntries(
      ['X-Request-Id', ...(HEADERS[first!.status] ?? [])].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    content: {
      'application/json': {
        schema: FAILURE,
        examples: Object.fromEntries([...examples].map(([type, fault]) => [type, exampleOf(fault)])),
      },
    },
  }
}

/** Types are shared by several sentences (what was not found, what was changed): the first one stands for all. */
function exampleOf({ type, status, message }: Fault): Json {
  refusalExamples[type] ??= {
    value: { code: status, message, data: null, error: { type, details: [] }, requestId: 'order-page-17' },
  }
  return { $ref: `#/components/examples/${type}` }
}
