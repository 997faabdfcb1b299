import type { Readable } from 'node:stream'

/** A client has to send at least so much in so long. */
const SLOWEST = { bytes: 1024, withinMs: 15_000, lookEveryMs: 500 }
/** How much is read and dropped after a refusal, so that a client which reads only when it has sent comes to see the answer. */
const PATIENCE_BYTES = 67_108_864

/** What is watched of a request: its socket counts, so that nobody has to listen in on the body. */
export type Watched = Readable & { socket: { bytesRead: number } }

/**
 * Watches over the body of a request while it is read. It cuts the connection of a client that sends more than `most`
 * bytes, which is far more than is asked of it, or next to nothing.
 */
export function watchSlowClient(request: Watched, most: number, slowest = SLOWEST) {
  const start = request.socket.bytesRead
  let before = start
  let waited = 0
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    waited += slowest.lookEveryMs
    if (bytesRead - before >= slowest.bytes) [before, waited] = [bytesRead, 0]
    if (bytesRead - start > most || waited >= slowest.withinMs) request.destroy()
  }, slowest.lookEveryMs)
  timer.unref()
  for (const end of ['end', 'close']) request.once(end, () => clearInterval(timer))
  return {
    /** The request has been refused: what still comes is dropped, for a while. */
    refuse() {
      let dropped = 0
      most = Number.POSITIVE_INFINITY
      request.unpipe()
      request.on('data', (chunk: Buffer) => {
        dropped += chunk.length
        if (dropped > PATIENCE_BYTES) request.destroy()
      })
      request.resume()
    },
  }
}
