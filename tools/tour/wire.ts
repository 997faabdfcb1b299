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

export type Wire = ReturnType<typeof openWire>

/** Records the requests of the tour's clients. */
export function openWire(base: string) {
  const exchanges: Exchange[] = []
  return {
    /** everything so far */
    exchanges: exchanges as readonly Exchange[],
    /** A `fetch` for the client of this tenant. */
    fetchFor(tenant: string | undefined): typeof fetch {
      return async (input, init) => {
        const path = String(input)
          .replace(base, '')
          .replace(/^\/api\/v1/, '')
        const exchange = exchangeOf(path, init, tenant)
        exchanges.push(exchange)
        const answer = await fetch(input, init)
        exchange.answer = answer
        if (answer.headers.get('content-type')?.startsWith('application/json'))
          exchange.said = await answer.clone().json()
        return answer
      }
    },
  }
}

function exchangeOf(path: string, init: RequestInit = {}, tenant: string | undefined): Exchange {
  const headers = new Headers(init.headers)
  // The token says it already.
  if (headers.has('authorization') && headers.get('x-tenant-code') === tenant) headers.delete('x-tenant-code')
  return { method: init.method ?? 'GET', path, headers, body: init.body }
}
