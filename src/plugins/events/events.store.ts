import { type Builder, cold, type From, list, type PartOf, paginate, type Reading, sql, writeReturning } from '#atrium'

const names = ['id', 'type', 'subjectType', 'subjectId', 'actorKind', 'actorId', 'occurredAt'] as const
const columns = [...names.map((name) => `events.${name}` as const), sql<string>`events.data::text`.as('data')] as const

/** An event as it is stored, with its data as JSON. */
export type StoredEvent = PartOf<'events', (typeof names)[number]> & { data: string }

interface Wanted {
  types?: string[]
}

/**
 * The ids of the events of some types: of each type as many as are wanted, by an index of their own, and of all these the
 * oldest. So a page costs the same wherever it begins, and however rare its types are.
 */
const idsOf = (from: From, { types, after, most }: Wanted & Reading) =>
  cold
    .selectFrom(sql<{ type: string }>`unnest(${types}::text[])`.as<'wanted'>(sql`wanted (type)`))
    .innerJoinLateral(
      () =>
        from('events')
          .select('events.id')
          .where(sql<boolean>`events.type = wanted.type`)
          .$if(after !== undefined, (query) => query.where('events.id', '>', after!))
          .orderBy('events.id')
          .limit(most!)
          .as('found'),
      (join) => join.onTrue(),
    )
    .select('found.id')
    .orderBy('found.id')
    .limit(most!)

/** The events of a tenant, the oldest first. */
export const listEvents = paginate(
  (from, p: Wanted & Reading) =>
    from('events')
      .select(columns)
      // As an array, so that the ids are found first.
      .$if(p.types !== undefined, (query) =>
        query.where(sql<boolean>`events.id = any(array(${idsOf(from, p)}))`),
      ) as Builder<StoredEvent>,
  'events.id',
  'oldest',
  { long: { text: ['data'] } },
)

/** Of these ids, the events that are kept. */
export const listEventsById = list(
  (from, p: { ids: readonly number[] }) =>
    from('events')
      .select(columns)
      .where('events.id', '=', sql<number>`any(${p.ids}::bigint[])`) as Builder<StoredEvent>,
)

/**
 * Removes events that are too old, of the first ones in the order of their ids. No index by time: ids rise with time, but
 * for commands of the same moment, and every event would write it.
 */
export const removeOldEvents = writeReturning(({ from, remove }, p: { days: number; most: number }) => {
  const first = from('events').select(['events.id', 'events.occurredAt']).orderBy('events.id').limit(p.most)
  const old = cold
    .selectFrom(first.as('first'))
    .select('first.id')
    .where('first.occurredAt', '<', sql<string>`now() - make_interval(days => ${p.days}::integer)`)
  return remove('events').where(sql<boolean>`events.id = any(array(${old}))`)
})
