import type { Agent, IncomingMessage, RequestOptions } from 'node:http'
import { assertPublicHost, lookupPublic } from './network.ts'

// Importing node:http also loads the WebSocket client and fetch of Node, which cost each start 50 ms and 10 MiB.
const { request: plainly } = process.getBuiltinModule('node:http')
const { request: securely } = process.getBuiltinModule('node:https')

export interface OutsideRequest extends Required<Pick<RequestOptions, 'method' | 'headers'>> {
  signal: AbortSignal
  body: string | undefined
  /** true: it may lead to private addresses */
  isPrivateAllowed: boolean
  /** an agent that keeps connections, and what else it needs to find one; by default the request has one of its own */
  kept?: { agent: Agent }
}

/**
 * Sends a request to an address that a person or another system has named. The address that is looked up and checked is the
 * one that it connects to; a connection that is kept leads to one that was checked when it was opened. Redirects are not
 * followed.
 * @returns the answer, whose body has yet to arrive
 * @throws AddressRefused, and the errors of node:http if there was no answer
 */
export async function requestOutside(url: URL, request: OutsideRequest): Promise<IncomingMessage> {
  const { body, isPrivateAllowed, kept = { agent: false }, ...given } = request
  if (!isPrivateAllowed) assertPublicHost(url)
  const send = url.protocol === 'https:' ? securely : plainly
  const options = { ...given, ...kept, ...(!isPrivateAllowed && { lookup: lookupPublic }) }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const sent = send(url, options, (answer) => {
      isAnswered = true
      resolve(answer)
    })
    sent.on('error', (error) => {
      // The other side closed a kept connection before it read the request. Errors of the body come here too.
      if (sent.reusedSocket && !isAnswered && !given.signal.aborted)
        resolve(requestOutside(url, { ...request, kept: undefined }))
      else reject(error)
    })
    sent.end(body)
  })
}
