import { callerOver } from './client.ts'
import type { Remote } from './remote.ts'

/**
 * Sixteen bytes each, one for every place where a client puts what must never be kept: a canary found in a log or in
 * the audit also shows where it came from.
 */
export const CANARIES = {
  body: 'cnry-body-7f3a9b',
  query: 'cnry-qery-1d84e0',
  header: 'cnry-head-c52b6f',
  cookie: 'cnry-cook-90ae47',
  password: 'cnry-pass-e1736d',
  token: 'cnry-tokn-4b8f2a',
  file: 'cnry-file-a60c95',
}

const TEXTS = ['title', 'name', 'content', 'description']

/** A remote whose requests carry the canaries: in the texts and an unknown key of a body, in the query, in headers. */
export function planted(remote: Remote): Remote {
  return {
    ...remote,
    as(token) {
      const client = remote.as(token)
      return callerOver((method, url, headers, body) => {
        const [address, more] = [withQuery(url), withHeaders(headers)]
        if (method === 'GET') return client.get(address, more)
        if (method === 'DELETE') return client.delete(address, more)
        return client[method === 'POST' ? 'post' : 'put'](address, withBody(body), more)
      })
    },
    send: (method, path, headers, body) => remote.send(method, withQuery(path), withHeaders(headers), body),
  }
}

function withQuery(path: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}note=${CANARIES.query}`
}

function withHeaders(headers: Record<string, string> = {}): Record<string, string> {
  const { header, cookie } = CANARIES
  const key = headers['idempotency-key']
  return {
    ...headers,
    ...(key && { 'idempotency-key': `${key}-${header}` }),
    'x-note': header,
    'x-forwarded-for': header,
    'accept-language': header,
    referer: `https://elsewhere.example/?${header}`,
    cookie: `session=${cookie}`,
  }
}

function withBody(body: unknown): unknown {
  if (body === undefined) return undefined
  const marked = Object.entries(body as object).map(([name, value]) =>
    TEXTS.includes(name) && typeof value === 'string' ? [name, `${value} ${CANARIES.body}`] : [name, value],
  )
  return { ...Object.fromEntries(marked), note: CANARIES.body }
}
