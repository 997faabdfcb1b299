import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    slowReaders: SlowReaders
  }
}

export interface SlowReaders {
  /** bytes of answers that were waiting in this process for their readers at the last check */
  readonly unsent: number
  /** connections that were closed so far */
  readonly cut: number
  /**
   * The answer of this request keeps something that others need, such as a transaction, so its reader has to take more
   * than others. While there is nothing to send, nobody is cut off.
   */
  hurry(req: FastifyRequest): void
}

/** A reader takes at least this many bytes in this many ms, or all there is. */
export interface Floor {
  bytes: number
  ms: number
}

export interface SlowReadersOptions {
  /** bytes of answers that may wait in this process, for all readers together */
  budget?: number
  least?: Floor
  /** of those who are hurried */
  hurried?: Floor
  lookEveryMs?: number
}

interface Wait {
  /** ms on the monotonic clock, and how many bytes had been taken by then */
  since: number
  taken: number
}

const LEAST = { bytes: 32_768, ms: 30_000 }
/** 0.28 Mbit/s. Over a minute, because the kernel takes what it sends in pieces of up to a megabyte. */
const HURRIED = { bytes: 2_097_152, ms: 60_000 }

/**
 * An answer that no one reads stays in the memory of this process. So a connection that takes too little is closed, and
 * if all answers together exceed the budget, first those for which most is waiting. Node's own `setTimeout` of a socket
 * notices a standstill only at the second check, and never a trickle.
 */
export const slowReaders = fp<SlowReadersOptions>(
  async (app, { budget = 67_108_864, least = LEAST, hurried = HURRIED, lookEveryMs = 500 }) => {
    const waits = new Map<Socket, Wait>()
    const inHurry = new WeakSet<FastifyRequest>()
    let unsent = 0
    let cut = 0
    app.decorate('slowReaders', {
      get unsent() {
        return unsent
      },
      get cut() {
        return cut
      },
      hurry(req) {
        inHurry.add(req)
      },
    })
    const looking = setInterval(() => look(performance.now()), lookEveryMs).unref()
    app.addHook('onClose', async () => clearInterval(looking))

    function look(now: number) {
      const held = new Map<Socket, number>()
      unsent = 0
      for (const [socket, answers] of app.lifetime.connections) {
        const bytes = answers.values().reduce((sum, answer) => sum + answer.writableLength, 0)
        if (bytes === 0) continue
        held.set(socket, bytes)
        unsent += bytes
      }
      for (const socket of waits.keys()) if (!held.has(socket)) waits.delete(socket)
      for (const [socket, bytes] of held) {
        const wait = waits.get(socket)
        const taken = takenFrom(socket)
        const isHurried = app.lifetime.connections
          .get(socket)!
          .keys()
          .some((req) => inHurry.has(req))
        const floor = isHurried ? hurried : least
        if (!wait || taken - wait.taken >= floor.bytes) waits.set(socket, { since: now, taken })
        else if (now - wait.since >= floor.ms) cutOff(socket, bytes, 'it reads too little')
      }
      if (unsent <= budget) return
      for (const [socket, bytes] of [...held].sort(([, a], [, b]) => b - a))
        if (unsent > budget && !socket.destroyed) cutOff(socket, bytes, 'too much waits for readers')
    }

    function cutOff(socket: Socket, bytes: number, reason: string) {
      unsent -= bytes
      cut++
      waits.delete(socket)
      app.log.warn({ ip: socket.remoteAddress, bytes, reason }, 'a slow reader was cut off')
      socket.destroy()
    }
  },
  { name: 'slow-readers', dependencies: ['lifetime'] },
)

/** Bytes that the kernel has accepted. For a pending write, only the handle knows how far it has come. */
function takenFrom(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength
}
