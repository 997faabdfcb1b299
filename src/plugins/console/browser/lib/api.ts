import { type Atrium, AtriumError, type Call, createClient, type Session } from '#client/index.ts'
import { language } from './language.ts'
import { PATIENCE_MS, reach } from './reach.ts'

export { AtriumError, addressOf, type Call } from '#client/index.ts'
export type * from '#client/operations.ts'

const KEPT = 'atrium.session'

/** The session, in this browser until its person signs out. All tabs share it. */
export const session = {
  load(): Session | undefined {
    const text = localStorage.getItem(KEPT)
    return text === null ? undefined : JSON.parse(text)
  },
  save(session: Session | undefined): void {
    if (session) localStorage.setItem(KEPT, JSON.stringify(session))
    else localStorage.removeItem(KEPT)
  },
}

/** Calls when another tab has signed in or out. */
export function onOtherTab(react: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEPT || key === null) react()
  })
}

/** The public API, and all that the page uses of the service. */
export let api: Atrium = connect()

/** Begins to speak another language with the service. */
export function reconnect(): void {
  api = connect()
}

function connect(): Atrium {
  return createClient({ baseUrl: location.origin, language: language(), session, fetch: limited, retries: 1 })
}

/** No answer is waited for for ever. What is sent as a file, and what comes as one, takes as long as it takes. */
async function limited(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const isUpload = init.body instanceof FormData || new Headers(init.headers).get('content-type') === 'text/csv'
  const limit = new AbortController()
  const timer = isUpload ? undefined : setTimeout(() => limit.abort(), PATIENCE_MS)
  const signal = init.signal ? AbortSignal.any([init.signal, limit.signal]) : limit.signal
  try {
    const answer = await fetch(url, { ...init, cache: 'no-cache', signal })
    if (!answer.headers.get('content-type')?.startsWith('application/json')) clearTimeout(timer)
    reach.set('here')
    keepTag(String(url), init.method, answer)
    return answer
  } catch (error) {
    if (!init.signal?.aborted) reach.set('away')
    throw error
  }
}

/** The ETags of what was read last, by address. */
const tags = new Map<string, string>()

function keepTag(url: string, method: string | undefined, answer: Response): void {
  const tag = answer.headers.get('etag')
  if (tag && (method ?? 'GET') === 'GET') tags.set(new URL(url).pathname, tag)
}

/**
 * Lets a change succeed only if nobody has changed the thing since it was read. Call it right after the read.
 * @param address where it was read, such as `/api/v1/roles/7`
 */
export function ifUnchanged(address: string): Call {
  const tag = tags.get(address)
  return tag ? { headers: { 'if-match': tag } } : {}
}

/** What went wrong, in words. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the service, or what it needs, was away: nothing was decided, and it can be tried again. */
export const isOutage = (error: unknown): boolean =>
  error instanceof AtriumError && (error.status >= 502 || (error.type === 'NO_ANSWER' && error.status < 400))

export const isRefusal = (error: unknown, type: string): error is AtriumError =>
  error instanceof AtriumError && error.type === type
