import type { Coordination } from '../../src/data/redis/coordination.ts'
import type { StreamCount } from '../../src/http/streams/streams.ts'
import type { Limit, Quota } from '../../src/util/sliding-window.ts'
import type { Talk } from './talk.ts'

/** A primary that takes longer is gone on without: limits are then counted in this worker alone. */
const PATIENCE_MS = 200

/** What is said in one worker, and heard in all others. */
export interface Said {
  channel: string
  text: string
}
/** A place under a limit. */
export interface Asked {
  limit: Limit
  key: string
}
export type Taken = Quota & { at: number }

/** A live stream of a person. */
export interface StreamOf {
  person: string
  id: number
  most: number
}

export interface ThroughPrimary extends Coordination {
  streamCount: StreamCount
  /** Ends a stream of this worker: its person has opened too many, here or elsewhere. */
  endStream(id: number): void
  /** Takes what another worker has said. */
  hear(said: Said): void
}

/**
 * What the workers of one machine tell each other, through the primary: the limits are counted there, and what one says
 * the others hear. There is no gate in front of the claims: a row of the database is the final word, and it is asked for
 * in a flight that leaves anyway.
 */
export function coordinateThrough(talk: Talk): ThroughPrimary {
  const channels = new Map<string, (text: string) => void>()
  let endStream = (_: number) => {}
  return {
    streamCount: {
      opened: (person, id, most) => talk.tell('stream opened', { person, id, most } satisfies StreamOf),
      closed: (person, id) => talk.tell('stream closed', { person, id }),
      onExcess(end) {
        endStream = end
      },
    },
    endStream: (id) => endStream(id),
    gatekeeper: undefined,
    openChannel(name, receive) {
      channels.set(name, receive)
      return {
        send: (text) => talk.tell('say', { channel: name, text } satisfies Said),
        // There may be replicas on other machines, and they do not hear.
        isOpen: () => false,
        close: () => void channels.delete(name),
      }
    },
    hear: ({ channel, text }) => channels.get(channel)?.(text),
    quotas: {
      look: (limit, key) => talk.ask<Quota>('look', { limit, key } satisfies Asked, PATIENCE_MS),
      async take(limit, key) {
        const asked: Asked = { limit, key }
        const taken = await talk.ask<Taken>('take', asked, PATIENCE_MS)
        return taken && { ...taken, release: () => taken.isOpen && talk.tell('give back', { ...asked, at: taken.at }) }
      },
    },
    up: () => true,
    async close() {},
  }
}
