import {
  type Database,
  findLastEvent,
  findUnnumbered,
  markInTenant,
  openScope,
  type Scope,
  type Searchable,
  type SearchedThing,
  type System,
  searchables,
  seesEverything,
  type TenantId,
  type Tx,
} from '#atrium'
import { findTenant, isOpen } from '#atrium/tenants'
import { readEvents, type StoredEvent } from '#plugins/events'
import {
  beginCursor,
  type Cursor,
  type Entry,
  findCursor,
  insertWords,
  listEntries,
  listEntryIds,
  lockIndex,
  moveBuilding,
  moveCursor,
  removeEntries,
  removeWords,
  saveEntries,
} from './indexing.store.ts'
import { rowsBeyond, type WordRow, wordsOf } from './search.rules.ts'

type Kind = Searchable<any>

/** Events, or things, of one batch. */
const BATCH = 100
/** Raised when texts are cut in another way than before, so that every index is built again. */
const EDITION = 1

const EVERYTHING = seesEverything('the index has the words of all; a search shows what its caller sees')
const nameOf = ({ type }: Kind) => `${type} ${EDITION}`
const subjectOf = ({ type, subject = type }: Kind) => subject

/** The kinds that the index does not hold from before its events. */
const unbuilt = ({ built }: Cursor) => searchables.all().filter((kind) => !built.includes(nameOf(kind)))

/** Whether the index of a tenant lacks something. */
export async function isBehind(scope: Scope): Promise<boolean> {
  // In this order: an event that is numbered between the last two is seen by the last.
  const [cursor, waiting, last] = await Promise.all([
    findCursor(scope, {}),
    findUnnumbered(scope, {}),
    findLastEvent(scope, {}),
  ])
  return !cursor || waiting !== undefined || cursor.lastEventId !== (last?.id ?? 0) || unbuilt(cursor).length > 0
}

/**
 * Takes the next events of a tenant into its index, or, if there are none, the next things from before them. Each batch
 * moves the cursor in its transaction, so a killed process repeats at most one, and several may do this at the same time.
 * @returns what there is more of: `news`, which people wait for, or `past`; undefined if there is nothing
 */
export async function indexNext(database: Database, tenantId: TenantId): Promise<'news' | 'past' | undefined> {
  const scope = openScope(database, tenantId)
  // The last event first: what the log has up to it is read afterwards, unless it was removed.
  const [cursor, last] = await Promise.all([findCursor(scope, {}), findLastEvent(scope, {})])
  if (!cursor) return begin(database, scope)
  const { rows: events, next } = await readEvents(database, scope, { after: cursor.lastEventId, most: BATCH })
  const [first = { id: (last?.id ?? 0) + 1 }] = events
  if (first.id !== cursor.lastEventId + 1) return buildAgain(database, scope)
  const [kind] = unbuilt(cursor)
  if (events.length > 0) await takeEvents(database, tenantId, cursor, events)
  else if (kind) await buildNext(database, tenantId, cursor, kind)
  if (next !== undefined) return 'news'
  return kind && 'past'
}

/**
 * What is committed before this is read from the tables, and what comes later from the log. Nobody searches in a tenant
 * that is closed, and one that is being erased would be indexed again.
 */
async function begin(database: Database, scope: Scope): Promise<'past' | undefined> {
  const [tenant, last] = await Promise.all([findTenant(scope, { id: scope.tenantId }), findLastEvent(scope, {})])
  if (!tenant || !isOpen(tenant, Date.now())) return undefined
  const lastEventId = last?.id ?? 0
  await writeIndex(database, scope.tenantId, async (tx) => beginCursor(tx, { lastEventId }))
  return 'past'
}

/** Builds the index from the beginning. What it holds is found meanwhile. @returns what there is to do now */
export async function buildAgain(database: Database, scope: Scope): Promise<'past'> {
  const lastEventId = (await findLastEvent(scope, {}))?.id ?? 0
  await writeIndex(database, scope.tenantId, async (tx) => {
    moveCursor(tx, { lastEventId, built: [] })
    moveBuilding(tx, { built: [], building: null, builtUpTo: 0 })
  })
  return 'past'
}

async function takeEvents(database: Database, tenantId: TenantId, cursor: Cursor, events: readonly StoredEvent[]) {
  const changed = searchables.all().flatMap((kind) => {
    const ids = events.filter(({ subjectType }) => subjectType === subjectOf(kind)).map(({ subjectId }) => subjectId)
    return ids.length > 0 ? [{ kind, ids: [...new Set(ids)] }] : []
  })
  const here = searchables.all().map(nameOf)
  await writeIndex(database, tenantId, async (tx) => {
    const [held, ...states] = await tx.inOrder([
      lockIndex(tx, {}),
      ...changed.map(({ kind, ids }) => stateOf(tx, kind, ids)),
    ])
    // Another process has read them.
    if (held?.lastEventId !== cursor.lastEventId) return
    for (const [at, { kind, ids }] of changed.entries()) bringUpToDate(tx, kind, ids, states[at]!)
    // A kind that is off misses its events.
    const built = held.built.filter((name) => here.includes(name))
    moveCursor(tx, { lastEventId: events.at(-1)!.id, built })
  })
}

/** Takes the next things of a kind, in the order of their ids. What only the index has between them is gone. */
async function buildNext(database: Database, tenantId: TenantId, cursor: Cursor, kind: Kind) {
  const { type } = kind
  const part = { after: cursor.building === nameOf(kind) ? cursor.builtUpTo : 0, most: BATCH }
  await writeIndex(database, tenantId, async (tx) => {
    const [held, things, indexed] = await tx.inOrder([
      lockIndex(tx, {}),
      kind.list(tx, { ...EVERYTHING, ...part }),
      listEntryIds(tx, { type, ...part }),
    ])
    if (!isSame(held, cursor)) return
    // As far as both lists go.
    const ends = [things, indexed].map((rows) => (rows.length < BATCH ? Infinity : rows.at(-1)!.id))
    const end = Math.min(...ends)
    const ids = [...new Set([...things, ...indexed].map(({ id }) => id))].filter((id) => id <= end)
    const entries = await listEntries(tx, { type, ids, most: ids.length })
    bringUpToDate(tx, kind, ids, [entries, things])
    if (end < Infinity) moveBuilding(tx, { built: cursor.built, building: nameOf(kind), builtUpTo: end })
    else moveBuilding(tx, { built: [...cursor.built, nameOf(kind)], building: null, builtUpTo: 0 })
  })
}

const isSame = (one: Cursor | undefined, other: Cursor) =>
  one?.building === other.building && one.builtUpTo === other.builtUpTo && one.built.length === other.built.length

type State = [entries: Entry[], things: SearchedThing[]]

async function stateOf(tx: Tx<System>, kind: Kind, ids: readonly number[]): Promise<State> {
  const most = ids.length
  return Promise.all([
    listEntries(tx, { type: kind.type, ids, most }),
    kind.list(tx, { ...EVERYTHING, ids: ids as number[], most }),
  ])
}

function bringUpToDate(tx: Tx<System>, { type }: Kind, ids: readonly number[], [entries, things]: State): void {
  const before = new Map(entries.map((entry) => [entry.id, entry]))
  const after = new Map(things.map((thing) => [thing.id, { ...wordsOf(thing), updatedAt: thing.updatedAt }]))
  const removed = ids.flatMap((id) => rowsBeyond(id, before.get(id), after.get(id)))
  const added = ids.flatMap((id) => rowsBeyond(id, after.get(id), before.get(id)))
  if (removed.length > 0) removeWords(tx, { type, ...listsOf(removed) })
  if (added.length > 0) insertWords(tx, { type, ...listsOf(added) })
  const gone = ids.filter((id) => before.has(id) && !after.has(id))
  if (gone.length > 0) removeEntries(tx, { type, ids: gone })
  const present = ids.flatMap((id) => after.get(id) ?? [])
  if (present.length === 0) return
  saveEntries(tx, {
    type,
    ids: ids.filter((id) => after.has(id)),
    titles: present.map(({ title }) => title.join(' ')),
    texts: present.map(({ texts }) => texts.join(' ')),
    updatedAts: present.map(({ updatedAt }) => updatedAt),
  })
}

const listsOf = (rows: readonly WordRow[]) => ({
  words: rows.map(({ word }) => word),
  places: rows.map(({ place }) => place),
  ids: rows.map(({ resourceId }) => resourceId),
})

const writeIndex = <T>(database: Database, tenantId: TenantId, action: (tx: Tx<System>) => Promise<T>) =>
  markInTenant(database, tenantId, 'search', action)
