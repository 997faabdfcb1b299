import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that takes as long as it likes. */
export interface Endless {
  /** Ends it in an orderly way. `retry`: ms after which the client may ask again */
  end(reason: string, retry?: number): void
  /** Calls back once, with the reason, when it has ended, on either side. */
  onEnd(listener: (reason: string) => void): void
}

/** A request whose answer waits for something. It sends nothing meanwhile. */
export interface Held extends Endless {
  /** true once it need not wait any longer, on either side */
  readonly isOver: boolean
}

/** Lets a request wait as long as it likes, until somebody ends it or its client leaves. */
export function holdRequest(req: FastifyRequest, reply: FastifyReply): Held {
  const endListeners: ((reason: string) => void)[] = []
  let ended: string | undefined

  function end(reason: string) {
    if (ended !== undefined) return
    ended = reason
    reply.raw.off('close', left)
    for (const listener of endListeners) listener(reason)
  }
  const left = () => end('the client left')

  reply.raw.once('close', left)
  if (reply.raw.destroyed || req.raw.socket?.destroyed) left()

  return {
    end,
    onEnd(listener) {
      if (ended === undefined) endListeners.push(listener)
      else listener(ended)
    },
    get isOver() {
      return ended !== undefined
    },
  }
}
