/** Who asks: what belongs to one group is served in turn with what belongs to others, and so are the members of a group. */
export interface Claimant {
  readonly group: string | number
  readonly member: string | number
  /** goes before all who are not */
  readonly isPreferred?: boolean
}

export interface FairQueueOptions {
  /** runs at once */
  width: number
  /** of these for one group, and for one member of it */
  perGroup: number
  perMember: number
  /** waiting at once for one member; one more is refused */
  waitingPerMember: number
  /** ms that work may wait for its turn */
  timeout: number
}

/** The queue refuses: a member asks for too much at once, or the turn has not come in time. */
export class QueueRefusal extends Error {
  readonly reason: 'too many' | 'too late'
  constructor(reason: 'too many' | 'too late') {
    super(reason)
    this.reason = reason
  }
}

interface Waiting {
  who: Claimant
  start(): void
}

/**
 * Lets costly work through, a few runs at a time. Groups take turns, so one that asks for much keeps no other waiting
 * longer than its own turn; within a group the same holds for its members.
 */
export function fairQueue({ width, perGroup, perMember, waitingPerMember, timeout }: FairQueueOptions) {
  const waiting: Waiting[] = []
  const running: Claimant[] = []
  /** groups in the order in which they were served last: the one that has waited longest goes first */
  const served = new Map<string | number, number>()
  let turn = 0

  const sameGroup = (a: Claimant) => (b: Claimant) => a.group === b.group
  const sameMember = (a: Claimant) => (b: Claimant) => a.group === b.group && a.member === b.member

  function mayStart({ who }: Waiting): boolean {
    return running.filter(sameGroup(who)).length < perGroup && running.filter(sameMember(who)).length < perMember
  }

  function startNext(): void {
    while (running.length < width) {
      const ready = waiting.filter(mayStart)
      if (ready.length === 0) break
      const next = ready.reduce((best, one) => (goesBefore(one.who, best.who) ? one : best))
      waiting.splice(waiting.indexOf(next), 1)
      running.push(next.who)
      served.set(next.who.group, ++turn)
      next.start()
    }
    if (running.length === 0 && waiting.length === 0) served.clear()
  }

  function goesBefore(one: Claimant, other: Claimant): boolean {
    if (Boolean(one.isPreferred) !== Boolean(other.isPreferred)) return one.isPreferred === true
    return lastTurn(one) < lastTurn(other)
  }

  function lastTurn({ group }: Claimant): number {
    return served.get(group) ?? 0
  }

  const isFull = (who: Claimant) =>
    waiting.filter(({ who: other }) => sameMember(who)(other)).length >= waitingPerMember

  return {
    /** Whether one more of this member would be refused. */
    isFull,

    /** Runs the work when its turn has come. @throws QueueRefusal */
    async run<T>(who: Claimant, work: () => Promise<T>): Promise<T> {
      if (isFull(who)) throw new QueueRefusal('too many')
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.splice(waiting.indexOf(one), 1)
          reject(new QueueRefusal('too late'))
        }, timeout)
        const one: Waiting = {
          who,
          start() {
            clearTimeout(late)
            resolve()
          },
        }
        waiting.push(one)
        startNext()
      })
      try {
        return await work()
      } finally {
        running.splice(running.indexOf(who), 1)
        startNext()
      }
    },
    get waiting() {
      return waiting.length
    },
    get running() {
      return running.length
    },
  }
}
