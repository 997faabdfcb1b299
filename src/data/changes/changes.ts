import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type CleanupJob, removing } from '../jobs/cleanup.ts'
import { cold } from '../sql/compile.ts'
import { directory } from '../sql/verbs.ts'
import { sharedScope } from '../tx/open-scope.ts'
import type { Kind } from '../wire/announcements.ts'
import type { Database } from '../wire/database.ts'

/** Knows what has changed of what this process remembers, whichever process changed it. */
export interface Changes {
  /**
   * Call it before you trust what is remembered. Undefined if everything committed until a moment ago is known, so that
   * no one waits; otherwise a promise of it. Rejects with Unavailable if the database is away.
   */
  catchUp(): Promise<void> | undefined
  /** The moment to take before something is loaded. */
  now(): number
  /** Whether it has changed since that moment. */
  isChanged(kind: Kind, subject: number, since: number): boolean
  /**
   * Every minute, lets a cache drop what has expired, even if no one asks for it any more: looks at each held key, a
   * thousand at a time, with other work between.
   */
  everyMinute<Key>(held: () => Iterable<Key>, look: (key: Key) => void): void
  close(): void
}

/** An older answer does not count; shorter than the second that the contract allows. */
const LONGEST_MS = 800
/** After this the next question is sent, while the last answer still counts. */
const SOON_MS = 300
const LET_GO_MS = 60_000
/** Rows are kept for an hour of the server's clock; who has not asked for half of it may have missed some. */
const MISSED_MS = 1_800_000
/** A node of a cluster that takes longer may hide a change, so everything is loaded again; no one waits for it. */
const PATIENCE_MS = 350
/** If this many come together, everything is loaded again. */
const MOST = 5000
/** After every transaction: asks for no rows, only for where to continue. */
const LAST = Number.MAX_SAFE_INTEGER

const clock = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`
const transactionId = (text: string) => sql<number>`${sql.raw(text)}::text::bigint`

/** The rows of all transactions that had not ended at the last question, and where to continue next time. */
const listSince = directory.list((_, p: { since: number }) =>
  cold
    .selectFrom(
      cold
        .selectNoFrom([transactionId('pg_snapshot_xmin(pg_current_snapshot())').as('next'), clock.as('at')])
        .as('snapshot'),
    )
    .leftJoin('invalidations', (join) => join.on('invalidations.transactionId', '>=', p.since))
    .select(['snapshot.next', 'snapshot.at', 'invalidations.id', 'invalidations.kind', 'invalidations.subject'])
    .limit(sql.lit(MOST + 1)),
)

/** Where the next question to a server continues: each numbers its transactions and its rows by itself. */
interface Place {
  since: number
  /** when it answered, in ms of its own clock, which may be set, and goes on while this machine is paused */
  at: number
  seen: ReadonlySet<number>
}
const UNASKED: Place = { since: LAST, at: Number.NEGATIVE_INFINITY, seen: new Set() }

/**
 * Asks the database for changes as often as someone needs to know; an idle process asks nothing. A change is announced on
 * the server where its transaction ran, so each node of a cluster is asked.
 */
export function watchChanges(database: Database): Changes {
  const touched = touches()
  let askedAt = Number.NEGATIVE_INFINITY
  const places = new WeakMap<Database, Place>()
  const late = new WeakSet<Database>()
  let asking: Promise<void> | undefined
  /** how many such changes this process has committed, and how many of these the last answer includes */
  let committed = 0
  let known = 0

  const unsubscribe = database.announcements.subscribe((announcement) => {
    if (announcement === 'mail' || announcement === 'webhooks') return
    committed++
    asking = undefined
  })
  const timers: NodeJS.Timeout[] = []

  function ask(): Promise<void> {
    const [startedAt, behind] = [performance.now(), committed]
    const asked = look()
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

  async function look() {
    await Promise.all([
      lookAt(database),
      ...database.nodes().map(async (node) => {
        if (!(await isAnswered(node))) touched.all()
      }),
    ])
  }

  async function isAnswered(node: Database): Promise<boolean> {
    // It is asked again when it has answered, or failed.
    if (late.has(node)) return false
    const answer = lookAt(node).then(
      () => true,
      () => false,
    )
    const first = await Promise.race([answer, sleep(PATIENCE_MS, 'late' as const, { ref: false })])
    if (first !== 'late') return first
    late.add(node)
    void answer.then(() => late.delete(node))
    return false
  }

  async function lookAt(server: Database) {
    const { since, at: before, seen } = places.get(server) ?? UNASKED
    const found = await listSince(sharedScope(server), { since })
    const { next, at } = found[0]!
    if (at - before > MISSED_MS || found.length > MOST) touched.all()
    for (const { id, kind, subject } of found) {
      if (id === null || seen.has(id)) continue
      if (kind === 'everything') touched.all()
      else touched.one(kind as Kind, subject!)
    }
    places.set(server, { since: next, at, seen: new Set(found.flatMap(({ id }) => id ?? [])) })
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

/** This many take under a millisecond; all that a process may hold would take 80. */
const AT_A_TIME = 1000

async function lookAtAll<Key>(keys: readonly Key[], look: (key: Key) => void): Promise<void> {
  for (let from = 0; from < keys.length; from += AT_A_TIME) {
    keys.slice(from, from + AT_A_TIME).forEach(look)
    await setImmediate()
  }
}

/** This many subjects of a kind are tracked; beyond that, everything counts as changed. */
const MOST_SUBJECTS = 20_000

/** When each subject last changed, by a count of the changes. */
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
        .where('invalidations.createdAt', '<', sql<string>`now() - interval '1 hour'`)
        .orderBy('invalidations.id')
        .limit(p.most)}))`,
    ),
)

export const oldInvalidations: CleanupJob = { ...removing('old invalidations', removeOld), ofServers: true }
