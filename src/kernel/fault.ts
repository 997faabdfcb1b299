import type { Fact, FactsOf, PlainSentence, Sentence } from './words/sentence.ts'

/**
 * A fault is an expected refusal: it is for the caller, and becomes the failure envelope, in the caller's language. An
 * Error is for us. Catalogues of faults are with their domains, built by `fault`.
 */
export class Fault extends Error {
  declare readonly message: PlainSentence
  readonly type: string
  readonly status: number
  readonly details: Detail[]
  readonly headers: Record<string, string>
  /** the variant of the fault, for the operator's metrics; it is never sent to the client */
  readonly label: string | undefined

  constructor(
    type: string,
    status: number,
    message: PlainSentence,
    details: Detail[],
    headers: Record<string, string>,
    label?: string,
  ) {
    // A fault is an answer, not a bug: collecting a stack would cost more than the refusal itself.
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = limit
    this.name = 'Fault'
    this.type = type
    this.status = status
    this.details = details
    this.headers = headers
    this.label = label
  }
}

/** What is wrong with one part of the request. */
export type Detail =
  | Saying<PlainSentence>
  | { [S in Exclude<Sentence, PlainSentence>]: Saying<S> }[Exclude<Sentence, PlainSentence>]

/** A sentence with the facts for its placeholders, and any others that a client can use. */
type Saying<S extends Sentence> = { path?: string; message: S; [fact: string]: unknown } & Record<FactsOf<S>, Fact>

/**
 * Declares one fault of a catalogue: a stable UPPER_SNAKE type, its HTTP status and a sentence of the catalogue.
 * Returns a function that makes the fault, with details if there are any.
 */
export function fault(type: string, status: number, message: PlainSentence) {
  return (details: Detail[] = [], headers: Record<string, string> = {}, label?: string) =>
    new Fault(type, status, message, details, headers, label)
}

/** Throws the fault; for use after `??`. */
export function fail(reason: Error): never {
  throw reason
}

/** `NOT_FOUND` with the kind of thing in its sentence. */
export function notFound(kind: Kind) {
  return fault('NOT_FOUND', 404, `${kind} not found`)
}

type Kind = Sentence extends infer S ? (S extends `${infer Name} not found` ? Name : never) : never

/** A user who acts in another tenant is not a user of it, and owns nothing there. @throws NOT_IN_TENANT */
export function assertAtHome({ actor, tenantId }: { actor: { tenantId: number }; tenantId: number }): void {
  if (actor.tenantId !== tenantId) throw faults.notInTenant()
}

/** Refusals that any route can give. */
export const faults = {
  validation: fault('VALIDATION_FAILED', 400, 'Some of the values are not valid'),
  malformedJson: fault('MALFORMED_JSON', 400, 'The body is not valid JSON'),
  badRequest: fault('BAD_REQUEST', 400, 'The request is not valid HTTP for this service'),
  pageTooDeep: fault('PAGE_TOO_DEEP', 400, 'Pages this deep are not served; narrow the filters or use before='),
  keyRequired: fault(
    'IDEMPOTENCY_KEY_REQUIRED',
    400,
    'This command needs an Idempotency-Key header of 1 to 128 visible ASCII characters',
  ),
  unauthenticated: fault('UNAUTHENTICATED', 401, 'Sign in to continue'),
  permissionDenied: fault('PERMISSION_DENIED', 403, 'You do not have the permission for this'),
  roleRequired: fault('ROLE_REQUIRED', 403, 'Only the system administrator may do this'),
  notInTenant: fault('NOT_IN_TENANT', 409, 'This would belong to you, and you are nobody of this tenant'),
  routeNotFound: fault('ROUTE_NOT_FOUND', 404, 'There is nothing at this address'),
  methodNotAllowed: fault('METHOD_NOT_ALLOWED', 405, 'This address does not support the method'),
  keyReused: fault(
    'IDEMPOTENCY_KEY_REUSED',
    409,
    'This Idempotency-Key was used already; read the resource before you try again',
  ),
  requestTimeout: fault('REQUEST_TIMEOUT', 408, 'The request took too long to arrive'),
  preconditionFailed: fault('PRECONDITION_FAILED', 412, 'This was changed since it was read'),
  tooLarge: fault('PAYLOAD_TOO_LARGE', 413, 'The body is too large'),
  uriTooLong: fault('URI_TOO_LONG', 414, 'The address is too long'),
  mediaType: fault('UNSUPPORTED_MEDIA_TYPE', 415, 'The content type of the body is not accepted here'),
  rateLimited: fault('RATE_LIMITED', 429, 'Too many attempts; try again later'),
  tooCostly: fault('TOO_COSTLY', 422, 'This takes too long to find; narrow the search or the filters'),
  headersTooLarge: fault('HEADERS_TOO_LARGE', 431, 'The headers are too large'),
  internal: fault('INTERNAL', 500, 'Something went wrong on our side'),
  unavailable: fault('UNAVAILABLE', 503, 'The service is not available at the moment; try again shortly'),
  secretUnreadable: fault(
    'SECRET_UNREADABLE',
    503,
    'A stored secret cannot be decrypted; the operator has to restore its key',
  ),
  outcomeUnknown: fault(
    'OUTCOME_UNKNOWN',
    503,
    'The connection was lost while saving; read the resource before you try again',
  ),
}
