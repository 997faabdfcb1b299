import { slidingWindows } from '../../src/util/sliding-window.ts'
import type { Answers } from './talk.ts'
import type { Asked, Said, Taken } from './through-primary.ts'

const MOST_KEYS = 50_000

/**
 * The primary's side of what workers tell each other: limits are counted here for all of them, and what one says is
 * passed on.
 * @param pass hands what a worker has said to the others
 */
export function openHub(pass: (from: number, said: Said) => void) {
  const windows = slidingWindows(MOST_KEYS)
  return {
    answersFor: (worker: number): Answers => ({
      say: (said: Said) => pass(worker, said),
      look: ({ limit, key }: Asked) => windows.look(limit, key),
      take({ limit, key }: Asked): Taken {
        const { isOpen, left, movesIn, at } = windows.take(limit, key)
        return { isOpen, left, movesIn, at }
      },
      'give back': ({ limit, key, at }: Asked & { at: number }) => windows.giveBack(limit, key, at),
    }),
  }
}
