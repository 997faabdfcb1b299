import type { Talk } from './talk.ts'

/** A worker that is being watched. */
export interface Watched {
  talk: Talk
  /** ms on the monotonic clock: when it answered last, or was ordered to begin; undefined before that */
  heardAt: number | undefined
  /** it listens */
  isReady: boolean
}

/** The worker listens from now on: the age of its start is no silence. */
export function becomeReady(member: Watched): void {
  member.isReady = true
  member.heardAt = performance.now()
}

const ASK_EVERY_MS = 1000
/** A worker that has not answered for this long hangs: the connections that the kernel assigns to it wait. */
const SILENT_MS = 10_000
/** A worker that starts may take longer; it has no connections yet. */
const STARTING_MS = 60_000

/**
 * Asks each worker every second whether it still answers, and calls `onSilent` once for one that does not. At first, and
 * after a pause of the primary itself, such as a suspended machine, every worker gets its full time. The last worker
 * that listens is left alone until another one does.
 * @returns ends the watch
 */
export function watchForSilence<Member extends Watched>(
  members: () => Iterable<Member>,
  onSilent: (member: Member) => void,
  { every = ASK_EVERY_MS, silent = SILENT_MS, starting = STARTING_MS } = {},
): () => void {
  let askedAt = Number.NEGATIVE_INFINITY
  const timer = setInterval(() => {
    const now = performance.now()
    const wasPaused = now - askedAt > 3 * every
    askedAt = now
    for (const member of members()) {
      if (member.heardAt === undefined) continue
      if (wasPaused) member.heardAt = now
      if (now - member.heardAt > (member.isReady ? silent : starting) && !isLast(member)) {
        member.heardAt = undefined
        onSilent(member)
      } else void ask(member)
    }
  }, every)
  timer.unref()
  return () => clearInterval(timer)

  function isLast(member: Member): boolean {
    const serving = [...members()].filter(({ isReady, heardAt }) => isReady && heardAt !== undefined)
    return serving.length === 1 && serving[0] === member
  }

  async function ask(member: Member) {
    const answered = await member.talk.ask<boolean>('answers', undefined, silent)
    if (answered && member.heardAt !== undefined) member.heardAt = performance.now()
  }
}
