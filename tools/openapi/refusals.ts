import { dutyFaults } from '../../src/http/request/gate.ts'
import { tenancyFaults } from '../../src/http/request/tenancy.ts'
import { type Fault, faults, notFound } from '../../src/kernel/fault.ts'
import { hasPages } from '../../src/kernel/page.ts'
import type { DeclaredRoute } from './routes.ts'
import type { Json } from './schemas.ts'

type Refusal = () => Fault

/** The bodies of refusals, by their type. Filled while the responses are written. */
export const refusalExamples: Record<string, Json> = {}

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

/** Headers that come with a refusal of this status. */
const HEADERS: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['RateLimit', 'RateLimit-Policy', 'Retry-After'],
  503: ['Retry-After'],
}

/** The `details` of a refusal, if there is something to act on. */
const DETAILS: Record<string, Json[]> = {
  VALIDATION_FAILED: [{ path: 'body.name', message: 'must not be blank' }],
  VERSION_CONFLICT: [{ path: 'version', expected: 3, actual: 4, message: 'read the task and try again' }],
  ILLEGAL_TRANSITION: [
    {
      path: 'body.status',
      from: 'TODO',
      to: 'DONE',
      allowed: ['IN_PROGRESS', 'CANCELLED'],
      message: 'TODO can move to IN_PROGRESS, CANCELLED',
    },
  ],
  MEMBER_HAS_OPEN_TASKS: [{ path: 'userId', id: 117, message: 'task 117 is still open' }],
  DEPARTMENT_NOT_EMPTY: [{ path: 'members', count: 3, message: '3 members left' }],
  USER_IN_USE: [{ path: 'projects', id: 42, message: 'owns project 42' }],
}

/** One response: all refusals with one status, each with its body as an example. */
function responseOf(refusals: Refusal[]): Json {
  const byType = new Map(refusals.map((refusal) => [refusal().type, refusal()]))
  const [first] = byType.values()
  return {
    description: [...byType.values()].map(({ type, message }) => `\`${type}\` ${message}.`).join('  \n'),
    headers: Object.fromEntries(
      ['X-Request-Id', ...(HEADERS[first!.status] ?? [])].map((name) => [
        name,
        { $ref: `#/components/headers/${name}` },
      ]),
    ),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries([...byType].map(([type, fault]) => [type, exampleOf(fault)])),
      },
    },
  }
}

/** Several sentences share a type (what was not found, what was changed): the first one represents all. */
function exampleOf({ type, status, message }: Fault): Json {
  const error = { type, details: DETAILS[type] ?? [] }
  refusalExamples[type] ??= { value: { code: status, message, data: null, error, requestId: 'order-page-17' } }
  return { $ref: `#/components/examples/${type}` }
}
