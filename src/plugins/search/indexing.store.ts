import { columnsOf, find, list, lock, sql, write } from '#atrium'

const columns = columnsOf('searchCursors', ['lastEventId', 'built', 'building', 'builtUpTo'])

/** How far the index of the tenant is; undefined if it has not begun. */
export const findCursor = find((from, _: object) => from('searchCursors').select(columns))
export type Cursor = NonNullable<Awaited<ReturnType<typeof findCursor>>>

/** The same, and nobody else writes the index until this transaction ends. */
export const lockIndex = lock((from, _: object) => from('searchCursors').select(columns).forNoKeyUpdate())

/** Begins the index behind an event, unless it has begun. */
export const beginCursor = write(({ insert }, p: { lastEventId: number }) =>
  insert('searchCursors', p).onConflict((conflict) => conflict.doNothing()),
)

/** The index has read up to an event. */
export const moveCursor = write(({ update }, p: { lastEventId: number; built: readonly string[] }) =>
  update('searchCursors').set({ lastEventId: p.lastEventId, built: sql<string[]>`${p.built}::text[]` }),
)

/** The index has the things from before its events up to an id of a kind. */
export const moveBuilding = write(
  ({ update }, p: { built: readonly string[]; building: string | null; builtUpTo: number }) =>
    update('searchCursors').set({ ...p, built: sql<string[]>`${p.built}::text[]` }),
)

/** The words of some things of a kind, as the index has them. */
export const listEntries = list((from, p: { type: string; ids: readonly number[]; most: number }) =>
  from('searchEntries')
    .select(['searchEntries.resourceId as id', 'searchEntries.title', 'searchEntries.texts'])
    .where('searchEntries.type', '=', p.type)
    .where('searchEntries.resourceId', '=', sql<number>`any(${p.ids}::bigint[])`)
    .orderBy('searchEntries.resourceId')
    .limit(p.most),
)
export type Entry = Awaited<ReturnType<typeof listEntries>>[number]

/** The ids of a kind that the index has after one. */
export const listEntryIds = list((from, p: { type: string; after: number; most: number }) =>
  from('searchEntries')
    .select('searchEntries.resourceId as id')
    .where('searchEntries.type', '=', p.type)
    .where('searchEntries.resourceId', '>', p.after)
    .orderBy('searchEntries.resourceId')
    .limit(p.most),
)

/**
 * Inserts or replaces the words of things of one kind, with a blank between them; the lists are of the same length.
 * Expressions that return sets in VALUES make a row of each position.
 */
export const saveEntries = write(
  (
    { insert },
    p: {
      type: string
      ids: readonly number[]
      titles: readonly string[]
      texts: readonly string[]
      updatedAts: readonly string[]
    },
  ) =>
    insert('searchEntries', {
      type: p.type,
      resourceId: sql<number>`unnest(${p.ids}::bigint[])`,
      title: sql<string[]>`string_to_array(unnest(${p.titles}::text[]), ' ')`,
      texts: sql<string[]>`string_to_array(unnest(${p.texts}::text[]), ' ')`,
      updatedAt: sql<string>`unnest(${p.updatedAts}::timestamptz[])`,
    }).onConflict((conflict) =>
      conflict.columns(['tenantId', 'type', 'resourceId']).doUpdateSet((eb) => ({
        title: eb.ref('excluded.title'),
        texts: eb.ref('excluded.texts'),
        updatedAt: eb.ref('excluded.updatedAt'),
      })),
    ),
)

export const removeEntries = write(({ remove }, p: { type: string; ids: readonly number[] }) =>
  remove('searchEntries')
    .where('searchEntries.type', '=', p.type)
    .where('searchEntries.resourceId', '=', sql<number>`any(${p.ids}::bigint[])`),
)

/** Rows of words of one kind; the lists are of the same length. */
interface Rows {
  type: string
  words: readonly string[]
  places: readonly number[]
  ids: readonly number[]
}

export const insertWords = write(({ insert }, p: Rows) =>
  insert('searchWords', {
    type: p.type,
    word: sql<string>`unnest(${p.words}::text[])`,
    place: sql<number>`unnest(${p.places}::integer[])`,
    resourceId: sql<number>`unnest(${p.ids}::bigint[])`,
  }).onConflict((conflict) => conflict.doNothing()),
)

export const removeWords = write(({ remove }, p: Rows) =>
  remove('searchWords')
    .where('searchWords.type', '=', p.type)
    .where(
      sql<boolean>`(search_words.word, search_words.place, search_words.resource_id) in (
        select * from unnest(${p.words}::text[], ${p.places}::integer[], ${p.ids}::bigint[]))`,
    ),
)
