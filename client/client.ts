import { freshKey, sendAgain } from './again.ts'
import { type NotificationEvent, notificationEvents } from './events.ts'
import { AtriumError, dataOf, failureOf } from './failure.ts'
import { formOf } from './files.ts'
import { type Item, rowsOf } from './lists.ts'
import { type Me, type Operations, operations, type TokenPair } from './operations.ts'
import { inMemory, refresher, type SessionStore } from './session.ts'

export interface Options {
  /** where the service is, such as `https://api.example.com` */
  baseUrl: string
  /** the tenant that public pages and sign-in belong to; by default the service's own */
  tenant?: string
  /** the language of messages, such as `zh-CN` */
  language?: string
  /** where the session is kept; by default in memory */
  session?: SessionStore
  /** by default the global one */
  fetch?: typeof fetch
  /** how often a call is sent again that came to no definite end; by default twice. A POST is never done twice. */
  retries?: number
}

export interface Call {
  signal?: AbortSignal
  /** by default a new one for each call of a command that takes one, the same for each time that it is sent */
  idempotencyKey?: string
  /** as that of the client, for this call */
  retries?: number
  /**
   * sent as well, in place of the client's own of the same name; a session's token stays. With an `accept` that names
   * another form, the answer itself is what the call yields.
   */
  headers?: Record<string, string>
}

type OperationId = keyof Operations
type Takes<Id extends OperationId> = Operations[Id]['takes']
type Yields<Id extends OperationId> = Operations[Id]['yields']
/** An operation that needs nothing may be called with nothing. */
type Arguments<Id extends OperationId> =
  object extends Takes<Id> ? [input?: Takes<Id>, call?: Call] : [input: Takes<Id>, call?: Call]
/** Not among the operations of a service whose plug-in `live` was deleted. */
const LISTEN: string = 'streamNotifications'
type ListId = { [Id in OperationId]: (typeof operations)[Id] extends { list: string } ? Id : never }[OperationId]

/** Every operation of the document as a function, and what it takes more than one of them to do. */
export type Atrium = { [Id in OperationId]: (...input: Arguments<Id>) => Promise<Yields<Id>> } & {
  /** Walks a list to its end, page by page, newest first unless the list says otherwise. */
  each: { [Id in ListId]: (...input: Arguments<Id>) => AsyncGenerator<Item<Yields<Id>>> }
  /**
   * Signs in and keeps the session; from then on every call is that person's. It fails with SECOND_FACTOR_REQUIRED if a
   * `code` is needed too.
   */
  signIn(credentials: { username: string; password: string; code?: string }): Promise<Me>
  /** Ends the session here and on the service; one that is over already is no failure. */
  signOut(): Promise<void>
  /** What happens from now on, until the signal aborts; connects again by itself and misses nothing. */
  notifications(call?: Pick<Call, 'signal'> & { after?: number }): AsyncGenerator<NotificationEvent>
}

/** A browser does not say why it keeps an answer back. */
const UNANSWERED =
  'document' in globalThis
    ? 'The service did not answer, or CORS_ORIGINS does not name this origin'
    : 'The service did not answer'

/**
 * A client of one service. Each operation of the document is a function of the same name; it resolves with the data,
 * and rejects with an `AtriumError`. An access token that has run out is exchanged once, unseen.
 */
export function createClient({ baseUrl, tenant, language, session = inMemory(), ...options }: Options): Atrium {
  const { fetch: send = fetch, retries = 2 } = options
  const refresh = refresher(session, (refreshToken) => call('refreshSession', { body: { refreshToken } }, {}, false))

  async function call(
    id: OperationId,
    input: Record<string, any> = {},
    how: Call = {},
    mayRefresh = true,
  ): Promise<any> {
    const answer = await ask(id, input, how, mayRefresh)
    return 'answers' in operations[id] || how.headers?.accept ? answer : dataOf(answer, how.signal)
  }

  /** @throws AtriumError where the answer is no success, or none came */
  async function ask(id: OperationId, input: Record<string, any>, how: Call, mayRefresh = true): Promise<Response> {
    const request = requestOf(id, input, how)
    const isRepeatable = request.method === 'GET' || 'keyed' in operations[id]
    const terms = { times: how.retries ?? retries, isRepeatable, signal: how.signal }
    return sendAgain(() => attempt(id, request, mayRefresh), terms)
  }

  async function attempt(id: OperationId, request: Prepared, mayRefresh: boolean): Promise<Response> {
    const token = session.load()?.accessToken
    let answer = await deliver(request, token)
    if (answer.status === 401 && token && mayRefresh) {
      const renewed = await renew(token)
      if (renewed) answer = await deliver(request, renewed.accessToken)
    }
    const known = answer.status === 304 && 'answers' in operations[id]
    if (answer.ok || known) return answer
    throw await failureOf(answer)
  }

  /**
   * A session that is over is forgotten; the caller then has the 401 that it would have had without one. Where it is not
   * known whether it is over, the caller has the reason for that.
   */
  async function renew(stale: string) {
    try {
      return await refresh(stale)
    } catch (error) {
      if (!(error instanceof AtriumError) || error.status !== 401) throw error
      // Somebody may have signed in meanwhile.
      if (session.load()?.accessToken === stale) session.save(undefined)
      return undefined
    }
  }

  async function deliver({ url, ...request }: Prepared, token: string | undefined): Promise<Response> {
    const headers = new Headers(request.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    try {
      return await send(url, { ...request, headers })
    } catch (error) {
      if (request.signal?.aborted) throw error
      throw new AtriumError(0, UNANSWERED, { type: 'NO_ANSWER', details: [] }, { cause: error })
    }
  }

  interface Prepared extends RequestInit {
    url: string
    headers: Headers
  }

  /** The parameters go where the path has a place for them, the others into the query. */
  function requestOf(id: OperationId, { body, ...parameters }: Record<string, any>, how: Call): Prepared {
    const operation: { method: string; path: string; keyed?: true; form?: true; sends?: string } = operations[id]
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
      const value = encodeURIComponent(parameters[name])
      delete parameters[name]
      return value
    })
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value))
    const type = operation.sends ?? (operation.form ? undefined : 'application/json')
    const headers = new Headers({
      ...(tenant && { 'x-tenant-code': tenant }),
      ...(language && { 'accept-language': language }),
      ...(body !== undefined && type && { 'content-type': type }),
      ...(operation.keyed && { 'idempotency-key': how.idempotencyKey ?? freshKey() }),
    })
    for (const [name, value] of Object.entries(how.headers ?? {})) headers.set(name, value)
    return {
      url: `${baseUrl.replace(/\/$/, '')}${path}${query.size ? `?${query}` : ''}`,
      method: operation.method,
      headers,
      ...(body !== undefined && {
        body: operation.sends ? body : operation.form ? formOf(body) : JSON.stringify(body),
      }),
      ...(how.signal && { signal: how.signal }),
    }
  }

  const each = proxy((id: ListId) => (input: object = {}, how: Call = {}) => {
    const page = (window: object) => ask(id, { ...input, ...window }, how)
    return rowsOf(operations[id].list, page, how.signal)
  })

  const more = {
    each,
    async signIn({ username, password, code }: { username: string; password: string; code?: string }) {
      session.save(undefined)
      const pair: TokenPair = await call('login', {
        body: { username, password, ...(code && { code }), ...(tenant && { tenantCode: tenant }) },
      })
      session.save({ accessToken: pair.accessToken, refreshToken: pair.refreshToken })
      return call('getMe')
    },
    async signOut() {
      const kept = session.load()
      if (!kept) return
      try {
        await call('logout', { body: { refreshToken: kept.refreshToken } })
      } catch (error) {
        const over = error instanceof AtriumError && error.status === 401
        if (!over) throw error
      } finally {
        session.save(undefined)
      }
    },
    notifications(how: Pick<Call, 'signal'> & { after?: number } = {}) {
      if (!(LISTEN in operations)) throw new TypeError('This service has no stream of notifications')
      return notificationEvents((headers) => ask(LISTEN as OperationId, {}, { ...how, headers, retries: 0 }), how)
    },
  }
  return proxy(
    (id: string) =>
      more[id as keyof typeof more] ?? ((input: object, how: Call) => call(id as OperationId, input, how)),
  ) as Atrium
}

/** An object whose members are made when they are asked for. `then` is not one: it would pass for a promise. */
function proxy<T extends object>(member: (name: any) => unknown): T {
  return new Proxy(
    {},
    { get: (_, name) => (name === 'then' || typeof name === 'symbol' ? undefined : member(name)) },
  ) as T
}
