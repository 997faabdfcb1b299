import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { assertPortable } from '../../src/data/sql/assert-portable.ts'
import { cold as db } from '../../src/data/sql/compile.ts'

const clock = sql<string>`clock_timestamp()`
const ofStatement = sql<string>`statement_timestamp()`
const session = { tenantId: 1, userId: 1, expiresAt: clock } as const
const old = db.selectFrom('sessions').select('sessions.id').where('sessions.expiresAt', '<', clock)

const held = sql<{ ms: number }>`unnest(array[1])`.as<'held'>(sql`held (ms)`)

interface Built {
  compile(): { query: any; sql: string }
}
const look = (built: Built) => {
  const { query, sql } = built.compile()
  assertPortable(query, sql)
}

describe('a statement is refused, with its text, when Citus would refuse it', () => {
  test.each<[string, string, Built]>([
    ['a volatile function in what an update sets', 'volatile', db.updateTable('sessions').set({ expiresAt: clock })],
    [
      'one in the condition of an update',
      'volatile',
      db.updateTable('sessions').set({ ip: '' }).where('sessions.expiresAt', '<', clock),
    ],
    [
      'one in a subquery of a deletion',
      'volatile',
      db.deleteFrom('sessions').where(sql<boolean>`sessions.id = any(array(${old}))`),
    ],
    [
      'one in a change that an expression makes',
      'volatile',
      db
        .with('gone', (inner) => inner.deleteFrom('sessions').where('sessions.expiresAt', '<', clock).returning('id'))
        .selectFrom('gone')
        .selectAll(),
    ],
    [
      'a time that a choice contains',
      'COALESCE',
      db.updateTable('sessions').set({ expiresAt: sql<string>`coalesce(expires_at, statement_timestamp())` }),
    ],
    [
      'a time to which a column is added',
      'to_timestamp',
      db
        .updateTable('sessions')
        .set({ expiresAt: sql<string>`statement_timestamp() + held.ms * interval '1 ms'` })
        .from(held),
    ],
    [
      'a time that a change returns',
      'returns',
      db.updateTable('sessions').set({ ip: '' }).returning(sql`expires_at - now()`.as('left')),
    ],
    [
      'a time in ON CONFLICT',
      'ON CONFLICT',
      db
        .insertInto('sessions')
        .values(session)
        .onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet({ expiresAt: ofStatement })),
    ],
    [
      'a query in VALUES',
      'VALUES',
      db
        .insertInto('sessions')
        .values({ ...session, userId: sql<number>`(${db.selectFrom('users').select('users.id')})` }),
    ],
    [
      'an insert of selected rows',
      'selects',
      db
        .insertInto('sessions')
        .columns(['tenantId', 'userId'])
        .expression(db.selectFrom('users').select(['users.tenantId', 'users.id'])),
    ],
    [
      'an insert of a selection without a table',
      'selects',
      db
        .insertInto('visitorKeys')
        .columns(['key'])
        .expression(db.selectNoFrom(sql<string>`'key'`.as('key'))),
    ],
    [
      'an insert of what a deletion returned',
      'selects',
      db
        .with('taken', (inner) => inner.deleteFrom('outbox').returning(['tenantId', 'id']))
        .insertInto('notifications')
        .columns(['tenantId', 'eventId'])
        .expression((eb) => eb.selectFrom('taken').select(['taken.tenantId', 'taken.id'])),
    ],
    [
      'an insert of what a change returned for each of some values',
      'unnest($1) in VALUES',
      db
        .with('moved', (inner) => inner.updateTable('roles').set({ name: '' }).returning('tenantId'))
        .insertInto('userRoles')
        .columns(['tenantId', 'userId'])
        .expression((eb) =>
          eb
            .selectFrom('moved')
            .innerJoin(held, (join) => join.onTrue())
            .select(['moved.tenantId', 'held.ms']),
        ),
    ],
  ])('%s', (_, what, built) => {
    expect(() => look(built)).toThrow(what)
    expect(() => look(built)).toThrow(`Citus would refuse it: ${built.compile().sql}`)
  })
})

test.each<[string, Built]>([
  ['the clock in a read', old],
  ['the clock in the values of an insert', db.insertInto('sessions').values(session)],
  ['the time of the statement in a change', db.updateTable('sessions').set({ expiresAt: ofStatement })],
  [
    'the excluded row in ON CONFLICT',
    db
      .insertInto('sessions')
      .values(session)
      .onConflict((conflict) =>
        conflict
          .columns(['tenantId', 'id'])
          .doUpdateSet({ expiresAt: sql<string>`excluded.expires_at` })
          .where(sql<boolean>`excluded.expires_at - sessions.expires_at > interval '1 day'`),
      ),
  ],
  [
    'an insert of many values',
    db.insertInto('userRoles').values({ tenantId: 1, roleId: 1, userId: sql<number>`unnest(${[1, 2]}::bigint[])` }),
  ],
])('%s passes', (_, built) => {
  expect(() => look(built)).not.toThrow()
})
