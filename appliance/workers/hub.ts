import { slidingWindows } from '../../src/util/sliding-window.ts'
import type { Answers } from './talk.ts'
import type { Asked, Said, StreamOf, Taken } from './through-primary.ts'

const MOST_KEYS = 50_000

/**
 * The primary's side of the messages between workers: it counts limits for all of them, and passes each message on.
 * @param pass sends the message of a worker to the others
 * @param endStream asks a worker to end one of its streams
 */
export function openHub(pass: (from: number, said: Said) => void, endStream: (worker: number, id: number) => void) {
  const windows = slidingWindows(MOST_KEYS)
  /** By person, the oldest first. */
  const streams = new Map<string, { worker: number; id: number }[]>()

  function open(worker: number, { person, id, most }: StreamOf) {
    const all = [...(streams.get(person) ?? []), { worker, id }]
    const excess = all.splice(0, Math.max(0, all.length - most))
    streams.set(person, all)
    for (const one of excess) endStream(one.worker, one.id)
  }

  function remove(person: string, isGone: (stream: { worker: number; id: number }) => boolean) {
    const left = (streams.get(person) ?? []).filter((stream) => !isGone(stream))
    if (left.length > 0) streams.set(person, left)
    else streams.delete(person)
  }

  return {
    /** The worker has ended, and its streams with it. */
    forget(worker: number) {
      for (const person of [...streams.keys()]) remove(person, (stream) => stream.worker === worker)
    },
    answersFor: (worker: number): Answers => ({
      say: (said: Said) => pass(worker, said),
      'stream opened': (stream: StreamOf) => open(worker, stream),
      'stream closed': ({ person, id }: Omit<StreamOf, 'most'>) =>
        remove(person, (stream) => stream.worker === worker && stream.id === id),
      look: ({ limit, key }: Asked) => windows.look(limit, key),
      take({ limit, key }: Asked): Taken {
        const { isOpen, left, movesIn, at } = windows.take(limit, key)
        return { isOpen, left, movesIn, at }
      },
      'give back': ({ limit, key, at }: Asked & { at: number }) => windows.giveBack(limit, key, at),
    }),
  }
}
