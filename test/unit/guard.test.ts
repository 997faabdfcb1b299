import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cold as db, TENANT } from '../../src/data/sql/compile.ts'
import { guard } from '../../src/data/sql/guard.ts'

const tenant = TENANT as unknown as number
const passes = { tasks: db.selectFrom('tasks').select('tasks.id').where('tasks.tenantId', '=', tenant) }
const foreign = db.selectFrom('users').select('users.id')

describe('a statement passes when every protected table in it carries the tenant', () => {
  test.each<[string, Built]>([
    ['a select', passes.tasks],
    ['a select by another name', db.selectFrom('tasks as t').select('t.id').where('t.tenantId', '=', tenant)],
    [
      'an insert',
      db.insertInto('taskComments').values({ tenantId: tenant, taskId: 1, authorId: 1, content: '', createdAt: '' }),
    ],
    ['an update', db.updateTable('tasks').set({ version: 1 }).where('tasks.tenantId', '=', tenant)],
    ['a delete', db.deleteFrom('tasks').where('tasks.tenantId', '=', tenant)],
    [
      'a join on the tenant and the id',
      passes.tasks.innerJoin('users', (join) =>
        join.onRef('users.tenantId', '=', 'tasks.tenantId').onRef('users.id', '=', 'tasks.reporterId'),
      ),
    ],
    [
      'a chain of joins, each on the one before',
      passes.tasks
        .innerJoin('projects', (join) => join.onRef('projects.tenantId', '=', 'tasks.tenantId'))
        .innerJoin('users', (join) => join.onRef('projects.tenantId', '=', 'users.tenantId')),
    ],
    ['a subquery in a raw fragment', passes.tasks.select(sql`array(${passes.tasks})`.as('ids'))],
    [
      'a common table expression',
      db
        .with('mine', () => passes.tasks)
        .selectFrom('mine')
        .selectAll(),
    ],
    [
      'an insert of what an expression took out',
      db
        .with('taken', (inner) =>
          inner.deleteFrom('outbox').where('outbox.tenantId', '=', tenant).returning(['outbox.tenantId', 'outbox.id']),
        )
        .insertInto('notifications')
        .columns(['tenantId', 'eventId'])
        .expression((eb) => eb.selectFrom('taken').select(['taken.tenantId', 'taken.id'])),
    ],
    ['a shared table', db.selectFrom('tenants').select('tenants.id')],
    ['no table at all', db.selectNoFrom(sql`clock_timestamp()`.as('now'))],
  ])('%s', (_, built) => {
    expect(() => look(built)).not.toThrow()
  })
})

describe('a statement is refused, with its text, when a protected table in it lacks the tenant', () => {
  test.each<[string, Built, string]>([
    ['a select', foreign, 'users'],
    ['a select by another name', db.selectFrom('tasks as t').select('t.id').where('t.id', '=', 1), 't'],
    ['a tenant that is only not null', foreign.where('users.tenantId', 'is not', null as never), 'users'],
    ['a tenant that is another', foreign.where('users.tenantId', '!=', tenant), 'users'],
    [
      'a tenant that is an alternative',
      foreign.where((eb) => eb.or([eb('users.tenantId', '=', tenant), eb('users.id', '=', 1)])),
      'users',
    ],
    ['a tenant that is denied', foreign.where((eb) => eb.not(eb('users.tenantId', '=', tenant))), 'users'],
    ['a tenant that equals itself', foreign.whereRef('users.tenantId', '=', 'users.tenantId'), 'users'],
    ['an update', db.updateTable('tasks').set({ version: 1 }).where('tasks.id', '=', 1), 'tasks'],
    [
      'an update that only sets it',
      db.updateTable('tasks').set({ tenantId: tenant }).where('tasks.id', '=', 1),
      'tasks',
    ],
    ['a delete', db.deleteFrom('tasks').where('tasks.id', '=', 1), 'tasks'],
    ['an insert', db.insertInto('tasks').values({ title: '' } as never), 'tasks'],
    [
      'an insert of rows it reads',
      db
        .insertInto('tasks')
        .columns(['tenantId', 'title'])
        .expression(db.selectFrom('projects').select(['projects.tenantId', 'projects.name'])),
      'projects',
    ],
    ['a join without the tenant', passes.tasks.innerJoin('users', 'users.id', 'tasks.reporterId'), 'users'],
    ['a left join without the tenant', passes.tasks.leftJoin('users', 'users.id', 'tasks.reporterId'), 'users'],
    [
      'two tables that only agree with each other',
      db
        .selectFrom('tasks')
        .innerJoin('users', (join) => join.onRef('users.tenantId', '=', 'tasks.tenantId'))
        .select('tasks.id'),
      'tasks',
    ],
    ['a subquery', passes.tasks.where('tasks.assigneeId', 'in', foreign), 'users'],
    [
      'a subquery that has it only from the query around it',
      passes.tasks.where((eb) => eb.exists(eb.selectFrom('users').whereRef('users.tenantId', '=', 'tasks.tenantId'))),
      'users',
    ],
    [
      'a subquery over the same table',
      passes.tasks.where('tasks.id', 'in', (eb) => eb.selectFrom('tasks').select('tasks.id')),
      'tasks',
    ],
    [
      'a subquery in the list of columns',
      passes.tasks.select((eb) => eb.selectFrom('users').select('users.id').as('any')),
      'users',
    ],
    ['a subquery in a raw fragment', passes.tasks.select(sql`array(${foreign})`.as('ids')), 'users'],
    ['a derived table', db.selectFrom(foreign.as('all')).selectAll(), 'users'],
    ['the other half of a union', passes.tasks.union(foreign), 'users'],
    [
      'a common table expression',
      db
        .with('all', () => foreign)
        .selectFrom('all')
        .selectAll(),
      'users',
    ],
    [
      'the tables beside a common table expression',
      db
        .with('mine', () => passes.tasks)
        .selectFrom(['mine', 'users'])
        .select('users.id'),
      'users',
    ],
    [
      'the tables beside a deletion',
      db.deleteFrom('tasks').using('users').where('tasks.tenantId', '=', tenant),
      'users',
    ],
  ])('%s', (_, built, name) => {
    expect(() => look(built)).toThrow(`touches ${name} without its tenant: ${built.compile().sql}`)
  })
})

interface Built {
  compile(): { query: any; sql: string }
}

function look(built: Built) {
  const { query, sql } = built.compile()
  guard(query, sql)
}
