import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** So much of a refused body is read and dropped, and no longer, before its connection is closed all the same. */
const PATIENCE = { bytes: 67_108_864, ms: 10_000, lookEveryMs: 250 }

/**
 * Lets the body of a refused request arrive before its connection is closed. The answer leaves at once. Where the client
 * is a proxy that says `Connection: close`, Node closes behind the answer; what still comes is then met by a reset, which
 * overtakes the answer, and the proxy tells its own client 500 or 502.
 * @see RFC 9112, section 9.6
 */
export function linger(request: IncomingMessage, response: ServerResponse, patience = PATIENCE): void {
  const { socket } = request
  if (request.complete || !socket?.destroySoon) return
  // Node closes in a listener of its own between these two; on a connection that stays open, nothing has happened.
  response.prependOnceListener('finish', () => {
    if (!request.complete) socket.destroySoon = () => closeBehind(request, socket, patience)
  })
  response.once('finish', () => {
    delete (socket as Partial<Socket>).destroySoon
  })
}

function closeBehind(request: IncomingMessage, socket: Socket, { bytes, ms, lookEveryMs }: typeof PATIENCE) {
  const start = socket.bytesRead
  let waited = 0
  const close = () => {
    clearInterval(timer)
    socket.destroySoon()
  }
  // Node drops what arrives behind an answer without an event: only the socket tells how much it was.
  const timer = setInterval(() => {
    waited += lookEveryMs
    if (waited >= ms || socket.bytesRead - start > bytes) close()
  }, lookEveryMs).unref()
  request.once('end', close)
  request.once('close', close)
  request.unpipe()
  request.resume()
}
