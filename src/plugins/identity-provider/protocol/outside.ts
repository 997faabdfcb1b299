import type { IncomingMessage } from 'node:http'
import type { CustomFetchOptions } from 'openid-client'
import { requestOutside } from '#atrium'
import { isSafeAddress } from '../identity-provider.rules.ts'

export interface Outside {
  /** whether private addresses are reached too */
  isPrivateAllowed: boolean
  isProduction: boolean
}

/** The whole answer arrives within this time, however slowly its bytes come. */
export const LIMIT_MS = 5000
const MOST_BYTES = 512 * 1024

/**
 * The `fetch` of requests to providers, whose addresses the tenant or the provider has named. It follows no redirect, keeps
 * no connection, connects only to addresses that were checked, and limits the time and the size of an answer.
 */
export function fetchOutside({ isPrivateAllowed, isProduction }: Outside) {
  return async (address: string, { method, headers, body, signal }: CustomFetchOptions): Promise<Response> => {
    const url = new URL(address)
    if (!isSafeAddress(url, isProduction)) throw new Error(`${url.origin} is not encrypted`)
    const time = AbortSignal.timeout(LIMIT_MS)
    const answer = await requestOutside(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body: body === undefined || body === null ? undefined : String(body),
      signal: signal ? AbortSignal.any([signal, time]) : time,
      isPrivateAllowed,
    })
    const bytes = await readAll(answer)
    const status = answer.statusCode ?? 0
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers: headersOf(answer) })
  }
}

async function readAll(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of answer) {
    size += piece.length
    if (size > MOST_BYTES) throw new Error('the answer is too large')
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

function headersOf({ headers }: IncomingMessage): Headers {
  const found = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) found.set(name, String(value))
  return found
}
