import type { Fault } from '../../src/kernel/fault.ts'
import type { Json } from './schemas.ts'

export type Refusal = () => Fault

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

/** The bodies of refusals, by their type. Filled while the responses are written. */
export const refusalExamples: Record<string, Json> = {}

/** One response: all refusals with one status, each with its body as an example. */
export function responseOf(refusals: Refusal[]): Json {
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
