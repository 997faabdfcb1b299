import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { FIRST_TENANT } from '../../kernel/actor.ts'
import type { CleanupJob } from '../jobs/cleanup.ts'
import { cold } from '../sql/compile.ts'
import { directory } from '../sql/verbs.ts'
import { sharedScope } from '../tx/open-scope.ts'
import type { Database } from '../wire/database.ts'

/** What can be changed of what a process remembers: a session, a user, the roles or the row of a tenant, the permissions. */
export type Kind = 'session' | 'user' | 'roles' | 'permissions' | 'tenant'

/** Knows what was changed of what this process remembers, by whomever. */
export interface Changes {
  /**
   * Whoever is about to trust what is remembered asks first. Undefined where all is known that was committed until a
   * moment ago, so that nobody waits; otherwise a promise of it. Rejects with Unavailable when the database is away.
   */
  catchUp(): Promise<void> | undefined
  /** The moment that something is about to be loaded at. */
  now(): number
  /** Whether it was changed since that moment. */
  isChanged(kind: Kind, subject: number, since: number): boolean
  /**
   * Every minute, for whoever remembers to let go of what is over, also of what nobody asks for any more: looks at each
   * key that is held, a thousand at a time, with other work between.
   */
  everyMinute<Key>(held: () => Iterable<Key>, look: (key: Key) => void): void
  close(): void
}

/** What has been asked longer ago does not count; short of the second that the contract allows. */
const LONGEST_MS = 800
/** Then the next is asked, while the answer of the last one still counts. */
const SOON_MS = 300
const LET_GO_MS = 60_000
/** Rows are kept for an hour; who has not asked for half of it may have missed some. */
const MISSED_MS = 1_800_000
/** Where so many come at once, everything is loaded anew. */
const MOST = 5000
/** Behind every transaction: asks for no row, but for where to go on. */
const LAST = Number.MAX_SAFE_INTEGER

const transactionId = (text: string) => sql<number>`${sql.raw(text)}::text::bigint`

/** The rows of all transactions but those that had ended when it was asked last, and from which on to ask next. */
const listSince = directory.list((_, p: { since: number }) =>
  cold
    .selectFrom(cold.selectNoFrom(transactionId('pg_snapshot_xmin(pg_current_snapshot())').as('next')).as('snapshot'))
    .leftJoin('invalidations', (join) => join.on('invalidations.transactionId', '>=', p.since))
    .select(['snapshot.next', 'invalidations.id', 'invalidations.kind', 'invalidations.subject'])
    .limit(sql.lit(MOST + 1)),
)

/** Asks the database what has been changed, as often as somebody wants to know; a process at rest asks nothing. */
export function watchChanges(database: Database): Changes {
  const touched = touches()
  let askedAt = Number.NEGATIVE_INFINITY
  let since = LAST
  let seen: ReadonlySet<number> = new Set()
  let asking: Promise<void> | undefined
  /** how often this process has committed such a change itself, and how many of these the last answer came behind */
  let committed = 0
  let known = 0

  const unsubscribe = database.announcements.subscribe(() => {
    committed++
    asking = undefined
  })
  const timers: NodeJS.Timeout[] = []

  function ask(): Promise<void> {
    const [startedAt, behind] = [performance.now(), committed]
    const asked = look(startedAt)
      .then(() => {
        askedAt = Math.max(askedAt, startedAt)
        known = Math.max(known, behind)
      })
      .finally(() => {
        if (asking === asked) asking = undefined
      })
    asking = asked
    return asked
  }

  async function look(startedAt: number) {
    const hasMissed = startedAt - askedAt > MISSED_MS
    const found = await listSince(sharedScope(database), { since: hasMissed ? LAST : since })
    if (hasMissed || found.length > MOST) touched.all()
    for (const { id, kind, subject } of found) if (id !== null && !seen.has(id)) touched.one(kind as Kind, subject!)
    seen = new Set(found.flatMap(({ id }) => id ?? []))
    since = found[0]!.next
  }

  return {
    catchUp() {
      const age = performance.now() - askedAt
      if (known < committed || age > LONGEST_MS) return asking ?? ask()
      if (age > SOON_MS && !asking) ask().catch(() => {})
      return undefined
    },
    now: touched.now,
    isChanged: touched.isSince,
    everyMinute: (held, look) => void timers.push(setInterval(() => lookAtAll([...held()], look), LET_GO_MS).unref()),
    close() {
      timers.forEach(clearInterval)
      unsubscribe()
    },
  }
}

/** So many at a time take under a millisecond; all that a process may hold would take 80. */
const AT_A_TIME = 1000

async function lookAtAll<Key>(keys: readonly Key[], look: (key: Key) => void): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_A_TIME) {
    keys.slice(from, from + AT_A_TIME).forEach(look)
    await setImmediate()
  }
}

/** So many subjects of a kind are told apart; where there are more, everything counts as changed. */
const MOST_SUBJECTS = 20_000

/** When each subject was changed last, by a count of the changes. */
function touches() {
  const last: Record<Kind, Map<number, number>> = {
    session: new Map(),
    user: new Map(),
    roles: new Map(),
    permissions: new Map(),
    tenant: new Map(),
  }
  let count = 0
  let allAt = 0

  function all() {
    allAt = ++count
    for (const subjects of Object.values(last)) subjects.clear()
  }
  return {
    all,
    one(kind: Kind, subject: number) {
      last[kind].set(subject, ++count)
      if (last[kind].size > MOST_SUBJECTS) all()
    },
    now: () => count,
    isSince: (kind: Kind, subject: number, moment: number) => allAt > moment || (last[kind].get(subject) ?? 0) > moment,
  }
}

const removeOld = directory.writeReturning((db, p: { most: number }) =>
  db
    .deleteFrom('invalidations')
    .where(
      sql<boolean>`invalidations.id = any(array(${cold
        .selectFrom('invalidations')
        .select('invalidations.id')
        .where('invalidations.createdAt', '<', sql<string>`clock_timestamp() - interval '1 hour'`)
        .orderBy('invalidations.id')
        .limit(p.most)}))`,
    ),
)

/** The rows belong to no tenant, so they go with those of the first. */
export const oldInvalidations: CleanupJob = {
  what: 'old invalidations',
  remove: async (tx, most) => (tx.tenantId === FIRST_TENANT ? (await removeOld(tx, { most })).affected : 0),
}
