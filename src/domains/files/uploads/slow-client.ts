import type { Readable } from 'node:stream'

/** The slowest speed at which a client may send. */
const SLOWEST = { bytes: 1024, withinMs: 15_000, lookEveryMs: 500 }
/** How much is read and dropped after a refusal, so that a client that sends before it reads sees the answer. */
const PATIENCE_BYTES = 67_108_864

/** The watched part of a request: its socket counts bytes, so the body needs no listener. */
export type Watched = Readable & { socket: { bytesRead: number } }

/**
 * Watches the body of a request while it is read. It closes the connection of a client that sends too slowly or more than
 * `most` bytes, which is far more than allowed.
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
    /** After a refusal, drops what still arrives, for a while. */
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
