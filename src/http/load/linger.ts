import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How much of a refused body is read and dropped, and for how long, before its connection is closed anyway. */
const PATIENCE = { bytes: 67_108_864, ms: 10_000, lookEveryMs: 250 }

/**
 * Lets the body of a refused request arrive before its connection is closed. The answer is sent immediately. If the
 * client is a proxy that says `Connection: close`, Node closes after the answer; the rest of the body then causes a
 * reset, which overtakes the answer, and the proxy answers its own client with 500 or 502.
 * @see RFC 9112, section 9.6
 */
export function linger(request: IncomingMessage, response: ServerResponse, patience = PATIENCE): void {
  const { socket } = request
  if (request.complete || !socket?.destroySoon) return
  // Node closes in its own listener between these two; on a connection that stays open, nothing has happened.
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
  // Node drops what arrives after an answer without an event: only the socket knows how much it was.
  const timer = setInterval(() => {
    waited += lookEveryMs
    if (waited >= ms || socket.bytesRead - start > bytes) close()
  }, lookEveryMs).unref()
  request.once('end', close)
  request.once('close', close)
  request.unpipe()
  request.resume()
}
