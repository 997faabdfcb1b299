import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Paginated, paginate } from '../../src/data/lists/paginate.ts'
import { paginateSearch } from '../../src/data/lists/search.ts'
import { cold, compile, cold as db, TENANT } from '../../src/data/sql/compile.ts'
import { type From, find, list, lock, write } from '../../src/data/sql/verbs.ts'
import { EXECUTOR, type Tx } from '../../src/data/tx/scope.ts'
import { type Row, UNNAMED } from '../../src/data/wire/flight.ts'
import { fault } from '../../src/kernel/fault.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
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

test('shapes beyond the first are built for each call, and neither kept here nor by the server', () => {
  let builds = 0
  const bind = compile('read', (p: Record<string, number>) => {
    builds++
    return db.selectFrom('tenants').select(Object.keys(p).map((name) => sql.lit(name).as(name)) as never)
  })
  const shape = (at: number) => bind(undefined, { [`p${at}`]: 1 }).prepared
  const kept = Array.from({ length: 128 }, (_, at) => shape(at))
  expect(new Set(kept.map(({ name }) => name)).size).toBe(128)

  const further = [shape(128), shape(128)]

  expect(further).toMatchObject(Array(2).fill({ name: UNNAMED, text: expect.stringContaining('"p128"') }))
  expect(builds).toBe(130)
  expect(shape(0)).toBe(kept[0])
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

describe('a statement that carries its fault', () => {
  const gone = fault('NOT_FOUND', 404, 'Task not found')
  const answering = (rows: Row[]) =>
    ({ tenantId: 42, [EXECUTOR]: { run: async () => ({ rows, affected: 0 }) } }) as unknown as Tx<any>
  const byId = (from: From, p: { id: number }) => from('tasks').select('tasks.id').where('tasks.id', '=', p.id)

  test.each([
    ['find', find(byId)],
    ['lock', lock((from, p: { id: number }) => byId(from, p).forUpdate())],
  ])('yields the row, or throws it: %s', async (_, statement) => {
    expect(await statement.or(gone)(answering([{ id: 5 }]), { id: 5 })).toEqual({ id: 5 })
    await expect(statement.or(gone)(answering([]), { id: 5 })).rejects.toMatchObject({ type: 'NOT_FOUND', status: 404 })
    expect(await statement(answering([]), { id: 5 })).toBeUndefined()
  })
})

describe('a statement says itself that it is costly', () => {
  const { tx, heard } = eavesdropper(42)
  const titled = (from: From, p: { pattern?: string; id?: number }) =>
    from('tasks')
      .select('tasks.id')
      .$if(p.pattern !== undefined, (query) => query.where('tasks.title', 'ilike', p.pattern!))
  const traitsOf = async (statement: (scope: Tx<any>, p: object) => unknown, params: object) => {
    void statement(tx, params)
    await Promise.resolve()
    const { costly, large } = heard.pop()!.prepared
    return { costly, large }
  }

  test('and no name of a parameter does', async () => {
    expect(await traitsOf(list(titled), { pattern: '%a%' })).toEqual({ costly: false, large: false })
  })

  test('always, or when it is called with one of its parameters', async () => {
    const always = list(titled, { costly: true, large: true })
    expect(await traitsOf(always, {})).toEqual({ costly: true, large: true })
    const sometimes = list(titled, { costly: ['pattern'] })
    expect(await traitsOf(sometimes, { pattern: '%a%' })).toMatchObject({ costly: true })
    expect(await traitsOf(sometimes, {})).toMatchObject({ costly: false })
  })

  test('and lists pass it on to the statements that they make', async () => {
    const page = { limit: 200, before: undefined, counted: true }
    const traits = async (list: Paginated<any, any>, params: object, request: PageRequest) => {
      void list(tx, params, request)
      await turn()
      const { costly, large } = heard.pop()!.prepared
      return { costly, large }
    }
    const listed = paginate(titled, 'tasks.id', 'newest', { costly: ['pattern'], long: { text: ['title'] } })
    expect(await traits(listed, { pattern: '%a%' }, page)).toEqual({ costly: true, large: true })
    expect(await traits(listed, {}, { ...page, limit: 20 })).toEqual({ costly: false, large: false })
    const searched = paginateSearch(titled, (found) => found, 'tasks')
    expect(await traits(searched, {}, page)).toEqual({ costly: true, large: false })
  })
})
