import type { IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { assertPublicHost, lookupPublic } from '#atrium'

/** What a receiver answered. */
export interface Answer {
  status: number
  /** its beginning, as text */
  body: string
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  /** true: it may lead to private addresses */
  anywhere: boolean
  signal: AbortSignal
}

const MOST_BYTES = 65_536
/** Of what was read, this much is kept. */
const MOST_CHARACTERS = 8192

/**
 * Posts a body, over a connection of its own: so the address that was looked up and checked is the one that it connects to,
 * at each attempt. Redirects are not followed. Of the answer 64 KiB are read, until the signal comes.
 * @throws AddressRefused, and the errors of node:http if there was no answer
 */
export async function post({ url: address, headers, body, anywhere, signal }: Post): Promise<Answer> {
  const url = new URL(address)
  if (!anywhere) assertPublicHost(url)
  const { promise: answer, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = { method: 'POST', agent: false, headers, signal, ...(!anywhere && { lookup: lookupPublic }) }
  request(url, options, resolve).on('error', reject).end(body)
  const response = await answer
  return { status: response.statusCode!, body: await beginningOf(response) }
}

/** Whatever ends the reading, the status has arrived. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MOST_BYTES) break
    }
  } catch {}
  response.destroy()
  const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8')
  return text.replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed()
}
