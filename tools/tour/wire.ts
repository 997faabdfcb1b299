/** What the client sent, and what came back. */
export interface Exchange {
  method: string
  /** below `/api/v1`, or of a page */
  path: string
  headers: Headers
  body: unknown
  answer?: Response
  /** the answer, if it is JSON */
  said?: any
}

/** Records the requests of the tour's clients. */
export interface Wire {
  /** everything so far */
  exchanges: readonly Exchange[]
  /** A `fetch` for the client of this tenant. */
  fetchFor(tenant: string | undefined): typeof fetch
}

export function openWire(base: string): Wire {
  const exchanges: Exchange[] = []
  return {
    exchanges,
    fetchFor: (tenant) => async (input, init) => {
      const exchange = exchangeOf(
        String(input)
          .replace(base, '')
          .replace(/^\/api\/v1/, ''),
        init,
        tenant,
      )
      exchanges.push(exchange)
      const answer = await fetch(input, init)
      exchange.answer = answer
      if (answer.headers.get('content-type')?.startsWith('application/json'))
        exchange.said = await answer.clone().json()
      return answer
    },
  }
}

function exchangeOf(path: string, init: RequestInit = {}, tenant: string | undefined): Exchange {
  const headers = new Headers(init.headers)
  // The token says it already.
  if (headers.has('authorization') && headers.get('x-tenant-code') === tenant) headers.delete('x-tenant-code')
  return { method: init.method ?? 'GET', path, headers, body: init.body }
}
