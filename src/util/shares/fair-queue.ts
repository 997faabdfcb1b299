/** Who asks. Groups take turns, and so do the members of a group. */
export interface Claimant {
  readonly group: string | number
  readonly member: string | number
  /** gets three of four turns while others wait too */
  readonly isPreferred?: boolean
}

export interface FairQueueOptions {
  /** how many run at the same time */
  width: number
  /** how many of these for one group, and for one member */
  perGroup: number
  perMember: number
  /** how many of these for all others together; by default the whole width */
  ofOthers?: number
  /** how many may wait for one member; one more is refused */
  waitingPerMember: number
  /** ms that work may wait for its turn */
  timeout: number
}

/** The queue refuses: a member has too many waiting, or the turn has not come in time. */
export class QueueRefusal extends Error {
  readonly reason: 'too many' | 'too late'
  constructor(reason: 'too many' | 'too late') {
    super(reason)
    this.reason = reason
  }
}

interface Running {
  who: Claimant
  /** as it was at the start */
  isPreferred: boolean
}
interface Waiting {
  who: Claimant
  start(as: Running): void
}

/** While both wait, most turns go to the preferred; not all, so that the others are not locked out. */
const PREFERRED_IN_A_ROW = 3
/** Beyond this many groups and members, the turn of the one served first is forgotten. */
const MOST_REMEMBERED = 10_000

/**
 * Runs costly work, a few runs at a time. Groups take turns, so one that asks for much delays no other by more than its
 * own turn; the same holds for the members of a group.
 */
export function fairQueue(options: FairQueueOptions) {
  const { width, perGroup, perMember, ofOthers = width, waitingPerMember, timeout } = options
  const waiting: Waiting[] = []
  const running: Running[] = []
  const groupTurns = turns()
  const memberTurns = turns()
  /** turns of the preferred since another had to wait */
  let inARow = 0

  const sameGroup = (a: Claimant) => (b: Claimant) => a.group === b.group
  const sameMember = (a: Claimant) => (b: Claimant) => a.group === b.group && a.member === b.member

  function mayStart({ who }: Waiting): boolean {
    if (!who.isPreferred && running.filter(({ isPreferred }) => !isPreferred).length >= ofOthers) return false
    const claimants = running.map((one) => one.who)
    return claimants.filter(sameGroup(who)).length < perGroup && claimants.filter(sameMember(who)).length < perMember
  }

  function startNext(): void {
    while (running.length < width) {
      const next = choose(waiting.filter(mayStart))
      if (!next) return
      waiting.splice(waiting.indexOf(next), 1)
      const { who } = next
      const started = { who, isPreferred: who.isPreferred === true }
      running.push(started)
      groupTurns.take(who.group)
      memberTurns.take(memberOf(who))
      next.start(started)
    }
  }

  function choose(ready: Waiting[]): Waiting | undefined {
    const preferred = ready.filter(({ who }) => who.isPreferred)
    const others = ready.filter(({ who }) => !who.isPreferred)
    const isTurnOfOthers = others.length > 0 && (preferred.length === 0 || inARow >= PREFERRED_IN_A_ROW)
    inARow = isTurnOfOthers || others.length === 0 ? 0 : inARow + 1
    return longestWithoutTurn(isTurnOfOthers ? others : preferred)
  }

  function longestWithoutTurn(ready: Waiting[]): Waiting | undefined {
    const [first, ...rest] = ready
    return first && rest.reduce((best, one) => (goesBefore(one.who, best.who) ? one : best), first)
  }

  function goesBefore(one: Claimant, other: Claimant): boolean {
    const byGroup = groupTurns.last(one.group) - groupTurns.last(other.group)
    return byGroup < 0 || (byGroup === 0 && memberTurns.last(memberOf(one)) < memberTurns.last(memberOf(other)))
  }

  const isFull = (who: Claimant) =>
    waiting.filter(({ who: other }) => sameMember(who)(other)).length >= waitingPerMember

  return {
    /** Whether one more of this member would be refused. */
    isFull,

    /** Work that was stopped early does not count as a turn. */
    giveTurnBack(who: Claimant): void {
      groupTurns.forget(who.group)
      memberTurns.forget(memberOf(who))
    },

    /** Runs the work when its turn has come, and passes whether it is preferred. @throws QueueRefusal */
    async run<T>(who: Claimant, work: (isPreferred: boolean) => Promise<T>): Promise<T> {
      if (isFull(who)) throw new QueueRefusal('too many')
      const started = await new Promise<Running>((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.splice(waiting.indexOf(one), 1)
          reject(new QueueRefusal('too late'))
        }, timeout)
        const one: Waiting = {
          who,
          start(as) {
            clearTimeout(late)
            resolve(as)
          },
        }
        waiting.push(one)
        startNext()
      })
      try {
        return await work(started.isPreferred)
      } finally {
        running.splice(running.indexOf(started), 1)
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

/** Who had a turn when. */
function turns() {
  const served = new Map<string | number, number>()
  let turn = 0
  return {
    take(who: string | number) {
      served.delete(who)
      served.set(who, ++turn)
      if (served.size > MOST_REMEMBERED) served.delete(served.keys().next().value!)
    },
    forget: (who: string | number) => void served.delete(who),
    /** 0 if nothing is remembered: they go first */
    last: (who: string | number) => served.get(who) ?? 0,
  }
}

function memberOf({ group, member }: Claimant): string {
  return `${group} ${member}`
}
