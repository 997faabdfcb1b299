import type { IncomingMessage } from 'node:http'
import { requestOutside } from '#atrium'
import type { Connections } from './connections.ts'

export interface Answer {
  status: number
  /** its beginning, as text */
  body: string
}

export interface Post {
  connections: Connections
  /** whose connections it uses */
  webhook: string
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
 * Posts a body. Of the answer 64 KiB are read, until the signal comes.
 * @throws as requestOutside
 */
export async function post({ connections, webhook, anywhere, ...parts }: Post): Promise<Answer> {
  const { headers, body, signal } = parts
  const url = new URL(parts.url)
  const kept = connections.of(webhook, url.protocol)
  const request = { method: 'POST', headers, body, signal, kept, isPrivateAllowed: anywhere }
  const response = await requestOutside(url, request)
  return { status: response.statusCode!, body: await beginningOf(response) }
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= MOST_BYTES) break
    }
  } catch {
    // Whatever ends the reading, the status has arrived.
  }
  response.destroy()
  const text = Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8')
  return text.replaceAll('\0', '').slice(0, MOST_CHARACTERS).toWellFormed()
}
