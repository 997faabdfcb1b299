import {
  type Column,
  columnsOf,
  type From,
  find,
  lend,
  list,
  matches,
  only,
  type PartOf,
  type RowOf,
  removeOldest,
  sql,
  write,
} from '#atrium'
import { able, type StandIn } from '#atrium/approvals'
import { nameAs, personAs, personOf } from '#atrium/people'
import { holdersOf } from '#atrium/roles'
import type { SubstituteView } from '#atrium/users'

const now = sql<string>`clock_timestamp()`

/** The substitutes who stand in for somebody at this moment; `begun` says that they were notified of what waits. */
const standIns = (from: From) =>
  from('substitutes').where('substitutes.startsAt', '<=', now).where('substitutes.endsAt', '>', now)

/** The substitute of the person whom a column names, if they can act. */
export const standInOf = lend(
  ['substitutes'],
  (from: From, person: Column) =>
    sql<StandIn | null>`(${standIns(from)
      .innerJoin('users', personOf('substitutes.substituteId'))
      .where(matches('substitutes.userId', person))
      .where('users.status', '=', 'active')
      .where('users.id', 'in', holdersOf(from, 'approval:action'))
      .select(
        sql`json_build_object('id', users.id, 'name', ${nameAs('users')}, 'begun', substitutes.begun)`.as('standIn'),
      )})`,
)

const standInsBy = (from: From, substituteId: number) =>
  standIns(from).select('substitutes.userId').where('substitutes.substituteId', '=', substituteId)

/** Those in which both people can act. */
const decidingBy = (from: From, substituteId: number) =>
  standInsBy(from, substituteId)
    .where('substitutes.substituteId', 'in', able(from).select('users.id'))
    .where('substitutes.userId', 'in', able(from).select('users.id'))

/** The people for whom a person stands in today, as an array. */
export const representedBy = lend(
  ['substitutes'],
  (from: From, substituteId: number) => sql<number[]>`array(${standInsBy(from, substituteId)})`,
)

/** The same without those for whom they cannot decide, because one of the two cannot act. */
export const decidedForBy = lend(
  ['substitutes'],
  (from: From, substituteId: number) => sql<number[]>`array(${decidingBy(from, substituteId)})`,
)

const MOST_REPRESENTED = 1000

/** The same as a list. */
export const listRepresented = list((from, p: { substituteId: number }) =>
  decidingBy(from, p.substituteId).orderBy('substitutes.userId').limit(MOST_REPRESENTED),
)

const period = ['fromDay', 'untilDay', 'timeZone', 'startsAt', 'endsAt', 'begun'] as const

/** The substitute of a person, today or later. */
export const findSubstitute = find((from, p: { userId: number }) =>
  from('substitutes')
    .leftJoin('users as standIn', personAs('standIn', 'substitutes.substituteId'))
    .select(columnsOf('substitutes', ['substituteId', ...period]))
    .select(nameAs('standIn').$notNull().as('name'))
    .where('substitutes.userId', '=', p.userId)
    .where('substitutes.endsAt', '>', now),
)

/** The same as it is shown, in a query over `users`. */
export const substituteShown = lend(
  ['substitutes'],
  (from: From) =>
    sql<SubstituteView | null>`(${from('substitutes')
      .leftJoin('users as standIn', personAs('standIn', 'substitutes.substituteId'))
      .where(matches('substitutes.userId', 'users.id'))
      .where('substitutes.endsAt', '>', now)
      .select(
        sql`json_build_object('userId', substitutes.substitute_id, 'name', ${nameAs('standIn')},
          'from', substitutes.from_day, 'until', substitutes.until_day)`.as('substitute'),
      )})`,
)

export const saveSubstitute = write(({ insert }, p: RowOf<'substitutes'>) =>
  insert('substitutes', p).onConflict((conflict) =>
    conflict.columns(['tenantId', 'userId']).doUpdateSet(only(p, ['substituteId', ...period, 'createdAt'])),
  ),
)

export const removeSubstitute = write(({ remove }, p: { userId: number }) =>
  remove('substitutes').where('substitutes.userId', '=', p.userId),
)

/** Everybody for whom a person stands in, or will, is without a substitute. */
export const removeStandIns = write(({ remove }, p: { userId: number }) =>
  remove('substitutes').where('substitutes.substituteId', '=', p.userId),
)

const MOST = 1000

/** The people who have a substitute who can decide, today or later, with the substitute. */
export const listAble = list((from, p: { substituteId?: number }) =>
  from('substitutes')
    .innerJoin('users', personOf('substitutes.substituteId'))
    .select(['substitutes.userId', 'users.id'])
    .where('substitutes.endsAt', '>', now)
    .where('users.status', '=', 'active')
    .where('users.id', 'in', holdersOf(from, 'approval:action'))
    .$if(p.substituteId !== undefined, (query) => query.where('substitutes.substituteId', '=', p.substituteId!))
    .orderBy('substitutes.userId')
    .limit(MOST),
)

/** Those who stand in and have not been notified of what waits. */
export const listToBegin = list((from, _: object) =>
  standIns(from)
    .select(['substitutes.userId', 'substitutes.substituteId'])
    .where('substitutes.begun', '=', false)
    .orderBy('substitutes.userId')
    .limit(MOST),
)

/** Those whose days were counted in another time zone than the tenant has now. */
export const listOfOtherZones = list((from, p: { timeZone: string }) =>
  from('substitutes')
    .select(columnsOf('substitutes', ['userId', 'fromDay', 'untilDay', 'begun']))
    .where('substitutes.timeZone', '!=', p.timeZone)
    .where('substitutes.endsAt', '>', now)
    .orderBy('substitutes.userId')
    .limit(MOST),
)

export const savePeriod = write(
  ({ update }, p: PartOf<'substitutes', 'userId' | 'timeZone' | 'startsAt' | 'endsAt' | 'begun'>) =>
    update('substitutes')
      .set(only(p, ['timeZone', 'startsAt', 'endsAt', 'begun']))
      .where('substitutes.userId', '=', p.userId),
)

export const markBegun = write(({ update }, p: { userId: number }) =>
  update('substitutes').set({ begun: true }).where('substitutes.userId', '=', p.userId),
)

export const removeEnded = removeOldest('substitutes', 'endsAt', sql<string>`now() - interval '1 day'`)
