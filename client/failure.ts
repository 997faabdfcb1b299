import type { ApprovalStatus, FailureType, TaskStatus } from './operations.ts'

/** What the details of a refusal tell, by its type. Every other type has a message for each detail, and perhaps a path. */
interface Particulars {
  VERSION_CONFLICT: { path: string; expected: number; actual: number; message: string }
  /** `expected` is what If-Match named */
  PRECONDITION_FAILED: { path: string; expected: number[]; actual: number; message: string }
  ILLEGAL_TRANSITION: IllegalMove
  VALIDATION_FAILED: { path: string; message: string }
  MEMBER_HAS_OPEN_TASKS: { path: string; id: number; message: string }
}
/** Of a task, of an approval, and of an approval that somebody else decided in the same moment. */
type IllegalMove =
  | { path: 'body.status'; from: TaskStatus; to: TaskStatus; allowed: TaskStatus[]; message: string }
  | { path: 'status'; from: ApprovalStatus; action: ApprovalAction; allowed: ApprovalAction[]; message: string }
  | { path: 'currentStep'; from: number; to: number; message: string }
type ApprovalAction = 'submit' | 'approve' | 'reject' | 'cancel'

/** `NO_ANSWER`: none came, or none of Atrium's; what happened to the request is not known. */
export type RefusalType = FailureType | 'NO_ANSWER'

interface Detail {
  path?: string
  message: string
}
type DetailOf<Type extends string> = Type extends keyof Particulars ? Particulars[Type] : Detail

/**
 * A request that was refused, or had no answer. `error.is('VERSION_CONFLICT')` narrows the details to that type's own.
 */
export class AtriumError extends Error {
  override readonly name = 'AtriumError'
  /** the HTTP status; 0 where there was no answer */
  readonly status: number
  readonly type: RefusalType | (string & {})
  readonly details: readonly Detail[]
  /** what the service's log and audit call this request */
  readonly requestId: string | undefined
  /** seconds to wait before the next try, where the service said so */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    failure: { type: string; details: readonly Detail[] },
    more: { requestId?: string | undefined; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause })
    this.status = status
    this.type = failure.type
    this.details = failure.details
    this.requestId = more.requestId
    this.retryAfter = more.retryAfter
  }

  /** @param type one of the known, or one of a newer service */
  is<Type extends RefusalType | (string & {})>(type: Type): this is Refusal<Type> {
    return this.type === type
  }
}

/** An error whose type is known, and with it what its details hold. */
export interface Refusal<Type extends string> extends AtriumError {
  readonly type: Type
  readonly details: readonly DetailOf<Type>[]
}

/** What a success holds. @throws AtriumError where it breaks off, or is none of Atrium's */
export async function dataOf(answer: Response, signal: AbortSignal | undefined): Promise<any> {
  try {
    return ((await answer.json()) as { data: unknown }).data
  } catch (error) {
    if (signal?.aborted) throw error
    throw new AtriumError(
      answer.status,
      'The answer cannot be read',
      { type: 'NO_ANSWER', details: [] },
      { requestId: answer.headers.get('x-request-id') ?? undefined, cause: error },
    )
  }
}

/** The error behind an answer that is no success. */
export async function failureOf(answer: Response): Promise<AtriumError> {
  const text = await answer.text().catch(() => '')
  const retryAfter = Number(answer.headers.get('retry-after')) || undefined
  const requestId = answer.headers.get('x-request-id') ?? undefined
  const body = parsed(text)
  return new AtriumError(
    answer.status,
    body?.message ?? `The answer was ${answer.status}`,
    // A proxy's own 503 does not promise that nothing happened.
    body?.error ?? { type: 'NO_ANSWER', details: [] },
    { requestId: body?.requestId ?? requestId, retryAfter },
  )
}

/** A proxy in between may answer with a page of its own, or break off. */
function parsed(text: string) {
  try {
    const body = JSON.parse(text)
    return typeof body?.error?.type === 'string' ? body : undefined
  } catch {
    return undefined
  }
}
