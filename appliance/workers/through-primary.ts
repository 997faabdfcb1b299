import type { Coordination } from '../../src/data/coordination/coordination.ts'
import type { StreamCount } from '../../src/http/streams/streams.ts'
import type { Limit, Quota } from '../../src/util/sliding-window.ts'
import type { Talk } from './talk.ts'

/** If the primary takes longer, limits are counted in this worker alone. */
const PATIENCE_MS = 2000

/** What one worker says to all others. */
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
  /** Ends a stream of this worker: its person has opened too many, on this worker or another. */
  endStream(id: number): void
  /** Handles what another worker has said. */
  hear(said: Said): void
}

/**
 * How the workers of one machine coordinate, through the primary: it counts the limits and passes messages on. There is
 * no gate in front of the claims: a row of the database decides, and is read in a flight that leaves anyway.
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
        // Replicas on other machines would not hear it.
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
