import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { assertDocumented, type Exchange } from './documented.ts'

/** What the service answered. Every answer is held to the envelope the moment it is read. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** `data` of a success */
  data: any
  /** `error` of a failure */
  error: { type: string; details: any[] } | undefined
  body: any
  /** Asserts the status and, where one is named, the type of the failure. @returns the data of a success, the error of a failure */
  expect(status: number, type?: string): any
}

type Headers = Record<string, string>
/** Asks the service; paths are relative to /api/v1, or begin with it as links of the service do. */
export interface Caller {
  get(path: string, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  delete(path: string, headers?: Headers): Promise<Answer>
  /** What a GET shows, which has to be a 200. */
  read(path: string, headers?: Headers): Promise<any>
  /** What a GET lists, which has to be a 200: a field of each row, or several of them. */
  list(path: string, ...fields: string[]): Promise<any[]>
  /** What a POST has made, which has to be a 201. */
  create(path: string, body?: unknown, headers?: Headers): Promise<any>
}
export interface Client extends Caller {
  send(options: InjectOptions): Promise<Answer>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** @param ask sends a request to an address of the service */
export function callerOver(
  ask: (method: Method, url: string, headers: Headers, body?: unknown) => Promise<Answer>,
): Caller {
  const send = (method: Method, path: string, headers: Headers = {}, body?: unknown) =>
    ask(method, path.startsWith('/api/v1/') ? path : `/api/v1${path}`, headers, body)
  const read: Caller['read'] = async (path, headers) => (await send('GET', path, headers)).expect(200)
  return {
    get: (path, headers) => send('GET', path, headers),
    post: (path, body, headers) => send('POST', path, headers, body),
    put: (path, body, headers) => send('PUT', path, headers, body),
    delete: (path, headers) => send('DELETE', path, headers),
    read,
    async list(path, ...fields) {
      const found = await read(path)
      const valuesOf = (row: any) => fields.map((field) => row[field])
      return (found.items ?? found).map((row: any) => (fields.length === 1 ? row[fields[0]!] : valuesOf(row)))
    },
    create: async (path, body, headers) => (await send('POST', path, headers, body)).expect(201),
  }
}

/** A client of the service in this process. */
export function clientOf(app: FastifyInstance, always: Headers): Client {
  return clientOver(async ({ headers, ...rest }) => {
    const response = await app.inject({ ...rest, headers: { ...always, ...headers }, payloadAsStream: true })
    const asked = { method: rest.method ?? 'GET', url: String(rest.url) }
    return answerOf(asked, response.statusCode, response.headers, await textOf(response))
  })
}

export function clientOver(send: Client['send']): Client {
  const caller = callerOver((method, url, headers, body) => {
    const type = method === 'POST' || method === 'PUT' ? { 'content-type': 'application/json' } : {}
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) }
    return send({ method, url, headers: { ...type, ...headers }, ...payload })
  })
  return { ...caller, send }
}

/** The address of the next page of a list; undefined where it ends. */
export function nextOf({ headers }: Answer): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
}

/** The pages of a list, by its links. */
export async function* pagesOf(client: Pick<Client, 'get'>, path: string): AsyncGenerator<Answer> {
  for (let next: string | undefined = path; next; ) {
    const answer: Answer = await client.get(next)
    yield answer
    next = nextOf(answer)
  }
}

/** The whole text of an answer; of an event stream, which does not end, its beginning, and then the client leaves. */
async function textOf(response: LightMyRequestResponse): Promise<string> {
  const endless = String(response.headers['content-type']).startsWith('text/event-stream')
  let text = ''
  for await (const chunk of response.stream().setEncoding('utf8')) {
    text += chunk
    if (endless && /event: unread-count[\s\S]*\n\n/.test(text)) break
  }
  if (endless) response.raw.res.destroy()
  return text
}

/**
 * Reads an answer and holds it to the envelope and, of this release, to the document; a file and an event stream have
 * no envelope, and are left as they are.
 */
export function answerOf(
  asked: Pick<Exchange, 'method' | 'url'>,
  status: number,
  headers: Answer['headers'],
  text: string,
  isThisRelease = true,
): Answer {
  const isFile =
    status < 400 &&
    (headers['content-disposition'] !== undefined ||
      /^(text\/event-stream|application\/x-ndjson)/.test(String(headers['content-type'])))
  const body = text === '' || isFile ? undefined : JSON.parse(text)
  if (isThisRelease) assertDocumented({ ...asked, status, body })
  if (isFile)
    return {
      status,
      headers,
      body: text,
      data: text,
      error: undefined,
      expect(wanted) {
        expect(status, 'a file or a stream').toBe(wanted)
        return text
      },
    }
  if (body !== undefined) assertEnvelope(status, body)
  return {
    status,
    headers,
    body,
    data: body?.data,
    error: body?.error,
    expect(wanted, type) {
      const got = { status, type: wanted >= 400 && type === undefined ? undefined : body?.error?.type }
      expect(got, text.slice(0, 600)).toEqual({ status: wanted, type })
      return wanted < 400 ? body.data : body.error
    },
  }
}

/**
 * A body without what differs between two answers to the same request: the id of the request; when a session
 * was last seen, which is written later; and of a stream the listener's position, which rises once all transactions in
 * progress on the server have ended.
 */
export function withoutChance(body: any): any {
  if (typeof body === 'string') return body.replaceAll(/^id: \d+$/gm, 'id: …')
  if (body && 'requestId' in body) return { ...body, requestId: '' }
  const isOfSessions = Array.isArray(body?.data) && body.data.some((row: any) => row?.lastSeenAt)
  return isOfSessions ? { ...body, data: body.data.map((row: any) => ({ ...row, lastSeenAt: '' })) } : body
}

function assertEnvelope(status: number, body: any) {
  if (status < 400) {
    expect(Object.keys(body)).toEqual(['code', 'message', 'data'])
    expect(body).toMatchObject({ code: 0, message: 'success' })
    return
  }
  expect(body).toMatchObject({ code: status, data: null, message: expect.any(String), requestId: expect.any(String) })
  expect(body.error).toMatchObject({ type: expect.stringMatching(/^[A-Z_]+$/), details: expect.any(Array) })
}
