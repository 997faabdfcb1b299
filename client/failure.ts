/** What the details of a refusal tell, by its type. Every other type has a message for each detail, and perhaps a path. */
interface Particulars {
  VERSION_CONFLICT: { path: string; expected: number; actual: number; message: string }
  PRECONDITION_FAILED: { path: string; expected: number; actual: number; message: string }
  ILLEGAL_TRANSITION: { path: string; from: string; to: string; allowed: string[]; message: string }
  VALIDATION_FAILED: { path: string; message: string }
  MEMBER_HAS_OPEN_TASKS: { path: string; id: number; message: string }
}
/** The types that a client is likely to decide on. A service may know more. */
type Plain =
  | 'UNAUTHENTICATED'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_REFRESH_TOKEN'
  | 'PERMISSION_DENIED'
  | 'ROLE_REQUIRED'
  | 'TENANT_DISABLED'
  | 'TENANT_EXPIRED'
  | 'TENANT_NOT_FOUND'
  | 'NOT_FOUND'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PROJECT_ARCHIVED'
  | 'TASK_FINISHED'
  | 'ASSIGNEE_NOT_MEMBER'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  /** no answer came, or none of Atrium's: what happened to the request is not known */
  | 'NO_ANSWER'

export type FailureType = keyof Particulars | Plain
export type Failure =
  | { [Type in keyof Particulars]: { type: Type; details: Particulars[Type][] } }[keyof Particulars]
  | { type: Plain | (string & {}); details: { path?: string; message: string }[] }

/**
 * A request that was refused, or had no answer. `error.is('VERSION_CONFLICT')` narrows the details to that type's own.
 */
export class AtriumError extends Error {
  override readonly name = 'AtriumError'
  /** the HTTP status; 0 where there was no answer */
  readonly status: number
  readonly type: string
  readonly details: readonly { path?: string; message: string }[]
  /** what the service's log and audit call this request */
  readonly requestId: string | undefined
  /** seconds to wait before the next try, where the service said so */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    failure: { type: string; details: readonly { path?: string; message: string }[] },
    more: { requestId?: string | undefined; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.status = status
    this.type = failure.type
    this.details = failure.details
    this.requestId = more.requestId
    this.retryAfter = more.retryAfter
  }

  is<Type extends FailureType>(type: Type): this is AtriumError & Extract<Failure, { type: Type }> {
    return this.type === type
  }
}

/** The error behind an answer that is no success. */
export async function failureOf(answer: Response): Promise<AtriumError> {
  const text = await answer.text()
  const retryAfter = Number(answer.headers.get('retry-after')) || undefined
  const requestId = answer.headers.get('x-request-id') ?? undefined
  const body = parsed(text)
  return new AtriumError(
    answer.status,
    body?.message ?? `The answer was ${answer.status}`,
    body?.error ?? { type: answer.status === 503 ? 'UNAVAILABLE' : 'NO_ANSWER', details: [] },
    { requestId: body?.requestId ?? requestId, retryAfter },
  )
}

/** A proxy in between may answer with a page of its own. */
function parsed(text: string) {
  try {
    const body = JSON.parse(text)
    return typeof body?.error?.type === 'string' ? body : undefined
  } catch {
    return undefined
  }
}
