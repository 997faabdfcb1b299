import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { cold, compile, compiledStatements, cold as db, TENANT } from '../../src/data/sql/compile.ts'
import { type From, find, list, write } from '../../src/data/sql/verbs.ts'
import { eavesdropper } from '../support/eavesdropper.ts'

const tenant = TENANT as unknown as number

test('values are bound in the order in which the text names them, not in which they were given', () => {
  const bind = compile('write', (p: { id: number; title: string; again: string }) =>
    db
      .updateTable('tasks')
      .set({ title: p.title, version: 7, description: p.again })
      .where('tasks.tenantId', '=', tenant)
      .where('tasks.id', '=', p.id)
      .where('tasks.title', '!=', p.again),
  )

  const { prepared, values } = bind(42, { again: 'x', id: 5, title: 'new' })

  expect(prepared.text).toBe(
    'update "tasks" set "title" = $1, "version" = $2, "description" = $3 where "tasks"."tenant_id" = $4 and "tasks"."id" = $5 and "tasks"."title" != $6',
  )
  expect(values).toEqual(['new', 7, 'x', 42, 5, 'x'])
})

test('a statement is built once for each set of parameters that occurs', () => {
  let builds = 0
  const bind = compile('read', (p: { id?: number; title?: string }) => {
    builds++
    return db
      .selectFrom('tasks')
      .select('tasks.id')
      .where('tasks.tenantId', '=', tenant)
      .$if(p.id !== undefined, (query) => query.where('tasks.id', '=', p.id!))
      .$if(p.title !== undefined, (query) => query.where('tasks.title', '=', p.title!))
  })

  const texts = [{}, { id: 1 }, { id: 2 }, { title: 'a' }, { id: 3, title: 'b' }, { title: undefined }].map(
    (params) => bind(42, params as object).prepared.text,
  )

  expect(builds).toBe(4)
  expect(new Set(texts).size).toBe(4)
  expect(texts[1]).toBe(texts[2])
  expect(texts[0]).toBe(texts[5])
})

test('null is a value, and does not change the shape', () => {
  const bind = compile('write', (p: { note: string | null }) =>
    db.updateTable('tasks').set({ description: p.note }).where('tasks.tenantId', '=', tenant),
  )
  expect(bind(42, { note: null }).values).toEqual([null, 42])
  expect(bind(42, { note: null }).prepared).toBe(bind(42, { note: 'text' }).prepared)
})

test('only the scope fills the place of the tenant', () => {
  const bind = compile('read', (p: { tenant: number }) =>
    db.selectFrom('tasks').select('tasks.id').where('tasks.tenantId', '=', tenant).where('tasks.id', '=', p.tenant),
  )
  expect(bind(42, { tenant: 66 }).values).toEqual([42, 66])
})

test('the same text has the same name, another text another one', () => {
  const one = compile('read', (_: object) => db.selectFrom('tenants').select('tenants.id'))
  const same = compile('read', (_: object) => db.selectFrom('tenants').select('tenants.id'))
  const other = compile('read', (_: object) => db.selectFrom('tenants').select('tenants.code'))
  expect(one(undefined, {}).prepared.name).toBe(same(undefined, {}).prepared.name)
  expect(one(undefined, {}).prepared.name).not.toBe(other(undefined, {}).prepared.name)
  expect(one(undefined, {}).prepared.name).toMatch(/^[\w-]{16}$/)
})

test('more shapes than a few are a mistake, and say so', () => {
  const bind = compile('read', (p: Record<string, number>) =>
    db.selectFrom('tenants').select(Object.keys(p).map((name) => sql.lit(name).as(name)) as never),
  )
  for (let at = 0; at < 128; at++) bind(undefined, { [`p${at}`]: 1 })
  expect(() => bind(undefined, { p128: 1 })).toThrow('more than 128 shapes')
  expect(() => bind(undefined, { p0: 1 })).not.toThrow()
})

test('every shape that was built is on the list that is read in review', () => {
  const bind = compile('read', (p: { code: string }) =>
    db.selectFrom('tenants').select('tenants.id').where('tenants.code', '=', p.code),
  )
  bind(undefined, { code: 'x' })
  expect(compiledStatements()).toContain('select "tenants"."id" from "tenants" where "tenants"."code" = $1')
})

test('the verbs stamp and filter by the tenant of the scope that they are called with', () => {
  const { tx, heard } = eavesdropper(42)
  const findTask = find((from, p: { id: number }) => from('tasks').select('tasks.id').where('tasks.id', '=', p.id))
  const insertMember = write(({ insert }, p: { projectId: number; userId: number; createdAt: string }) =>
    insert('projectMembers', p),
  )
  const removeTask = write(({ remove }, p: { id: number }) => remove('tasks').where('tasks.id', '=', p.id))

  void findTask(tx, { id: 5 })
  insertMember(tx, { projectId: 1, userId: 2, createdAt: 'now' })
  removeTask(tx, { id: 5 })

  expect(heard.map(({ prepared, values }) => [prepared.text, values])).toEqual([
    ['select "tasks"."id" from "tasks" where "tasks"."tenant_id" = $1 and "tasks"."id" = $2', [42, 5]],
    [
      'insert into "project_members" ("project_id", "user_id", "created_at", "tenant_id") values ($1, $2, $3, $4)',
      [1, 2, 'now', 42],
    ],
    ['delete from "tasks" where "tasks"."tenant_id" = $1 and "tasks"."id" = $2', [42, 5]],
  ])
})

test('values that smuggle a tenant into an insert are overruled by the scope', () => {
  const { tx, heard } = eavesdropper(42)
  const insertMember = write(({ insert }, p: { projectId: number; userId: number; createdAt: string }) =>
    insert('projectMembers', p),
  )

  insertMember(tx, { tenantId: 66, projectId: 1, userId: 2, createdAt: 'now' } as never)

  expect(heard[0]!.values).toContain(42)
  expect(heard[0]!.values).not.toContain(66)
})

describe('what a verb promises is held when its statement is built', () => {
  const { tx } = eavesdropper(42)
  const task = (from: From) => from('tasks').select('tasks.id')

  test.each<[effect: string, (from: From) => any]>([
    ['locks rows', (from) => task(from).forUpdate()],
    ['locks rows', (from) => task(from).forShare('tasks')],
    ['locks rows', (from) => from('projects').select(sql`array(${task(from).forKeyShare()})`.as('ids'))],
    ['calls for update', (from) => task(from).where(sql<boolean>`id in (select 1 for update)`)],
    ['calls pg_advisory_xact_lock(', (from) => task(from).select(sql`pg_advisory_xact_lock(1)`.as('held'))],
    ['calls pg_try_advisory_xact_lock(', (from) => task(from).select(sql`pg_try_advisory_xact_lock(1)`.as('held'))],
    [
      'deletes rows',
      () =>
        cold
          .with('gone', (db) => db.deleteFrom('tasks').where('tasks.tenantId', '=', 42).returning('id'))
          .selectFrom('gone')
          .select('id'),
    ],
  ])('find and list refuse what %s', async (effect, build) => {
    const sentence = `A statement declared by find or list ${effect}; declare it by lock, lockAll or write`
    await expect(find((from, _: object) => build(from))(tx, {})).rejects.toThrow(sentence)
    await expect(list((from, _: object) => build(from))(tx, {})).rejects.toThrow(sentence)
  })

  test('what merely looks like it is no effect', () => {
    const { tx, heard } = eavesdropper(42)
    const readsOnly = find((from, _: object) =>
      from('tasks').select(['tasks.updatedAt', sql`nextval('tasks_id_seq')`.as('next')]),
    )
    void readsOnly(tx, {})
    expect(heard).toHaveLength(1)
  })
})
