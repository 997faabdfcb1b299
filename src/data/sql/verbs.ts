import {
  type Compilable,
  type DeleteQueryBuilder,
  type DeleteResult,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import type { Fault } from '../../kernel/fault.ts'
import { cold, compile, TENANT } from './compile.ts'
import type { Row } from '../wire/connection.ts'
import type { DB, Protected, Shared } from './schema.ts'
import { ask, later, type Scope, type Tx } from '../tx/scope.ts'

/**
 * The verbs of a store. A statement is declared once, as a Kysely builder over placeholders, and called many times:
 *
 *   const findTask = find((from, p: { id: TaskId }) => from('tasks').select(columns).where('tasks.id', '=', p.id))
 *   const task = await findTask(scope, { id })
 *
 * `from`, `insert`, `update` and `remove` are filtered by the tenant or stamped with it; a domain never writes a
 * tenant_id itself. Statements called in the same turn of the loop travel in one flight: `await Promise.all([…])`.
 */
type Selected<T extends keyof DB> = SelectQueryBuilder<DB, T, Record<never, never>>
export type From = <T extends Protected>(table: T) => Selected<T>
export interface Verbs {
  from: From
  insert<T extends Protected>(
    table: T,
    values: Omit<InsertObject<DB, T>, 'tenantId'>,
  ): InsertQueryBuilder<DB, T, InsertResult>
  update<T extends Protected>(table: T): UpdateQueryBuilder<DB, T, T, UpdateResult>
  remove<T extends Protected>(table: T): DeleteQueryBuilder<DB, T, DeleteResult>
}
/** What a statement may say about the constraints it can hit: the constraint's name → the fault it means. */
export type Conflicts = Record<string, () => Fault>

interface Yields<O> extends Compilable<O> {}
type Anything = Record<string, any>

const db = cold as unknown as Kysely<Anything>
const from = ((table: string) => db.selectFrom(table).where(`${table}.tenantId`, '=', TENANT)) as unknown as From
const verbs = {
  from,
  insert: (table: string, values: Row) => db.insertInto(table).values({ ...values, tenantId: TENANT }),
  update: (table: string) => db.updateTable(table).where(`${table}.tenantId`, '=', TENANT),
  remove: (table: string) => db.deleteFrom(table).where(`${table}.tenantId`, '=', TENANT),
} as unknown as Verbs

/** A read that yields one row or undefined. */
export function find<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile((p: P) => build(from, p))
  return async (scope: Scope, params: P): Promise<O | undefined> =>
    (await ask(scope, bind(scope.tenantId, params), undefined)).rows[0] as O | undefined
}

/** A read that yields all its rows. */
export function list<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile((p: P) => build(from, p))
  return async (scope: Scope, params: P): Promise<O[]> =>
    (await ask(scope, bind(scope.tenantId, params), undefined)).rows as O[]
}

/** Like `find`, for rows that are locked for the change that follows: it demands a Tx. */
export function lock<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const read = find(build)
  return (tx: Tx<any>, params: P): Promise<O | undefined> => read(tx, params)
}

/** A change whose result nobody waits for: it leaves with the next flight, as a rule together with the commit. */
export function write<P extends object>(build: (verbs: Verbs, p: P) => Compilable, conflicts?: Conflicts) {
  const bind = compile((p: P) => build(verbs, p))
  return (tx: Tx<any>, params: P): void => later(tx, bind(tx.tenantId, params), conflicts)
}

/**
 * A change of a row as it was read: its WHERE says how. Where it touches none, somebody was faster; then nothing of the
 * flight happens, and the transaction starts over. So a row may be read without a lock, and its change needs no second look.
 */
export function change<P extends object>(build: (verbs: Verbs, p: P) => UpdateQueryBuilder<any, any, any, any>) {
  return write((_, p: P) => must(build(verbs, p).returning(sql`1`.as('one'))))
}

/**
 * A condition that the change relies on: the row was read, is still there, and stays so until the commit it leaves
 * with. Where it is not, the transaction starts over. `build` locks the row: `.forShare()`.
 */
export function still<P extends object>(build: (from: From, p: P) => Compilable) {
  return write((_, p: P) => must(build(from, p)))
}

function must(query: Compilable): Compilable {
  return db
    .with('kept', () => query as never)
    .selectFrom('kept' as never)
    .select(sql`must(count(*))`.as('so'))
}

/** A change whose result decides what happens next. Yields the returned rows and how many were touched. */
export function decide<P extends object, O>(build: (verbs: Verbs, p: P) => Yields<O>, conflicts?: Conflicts) {
  const bind = compile((p: P) => build(verbs, p))
  return async (tx: Tx<any>, params: P): Promise<{ rows: O[]; affected: number }> =>
    (await ask(tx, bind(tx.tenantId, params), conflicts)) as { rows: O[]; affected: number }
}

export type FromShared = <T extends Shared>(table: T) => Selected<T>
/** A tenant is never deleted, only closed. */
type SharedWriter = Pick<Kysely<Pick<DB, Shared>>, 'insertInto' | 'updateTable'> &
  Pick<Kysely<Pick<DB, Exclude<Shared, 'tenants'>>>, 'deleteFrom'>
const fromShared = ((table: string) => db.selectFrom(table)) as unknown as FromShared

/**
 * The door to the shared tables, which belong to no tenant: the directory of tenants and the catalogue of permissions.
 * The same verbs without a tenant; the types let no protected table through.
 */
export const directory = {
  find<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile((p: P) => build(fromShared, p))
    return async (scope: Scope, params: P) =>
      (await ask(scope, bind(undefined, params), undefined)).rows[0] as O | undefined
  },
  list<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile((p: P) => build(fromShared, p))
    return async (scope: Scope, params: P) => (await ask(scope, bind(undefined, params), undefined)).rows as O[]
  },
  write<P extends object>(build: (db: SharedWriter, p: P) => Compilable, conflicts?: Conflicts) {
    const bind = compile((p: P) => build(cold as never, p))
    return (tx: Tx<any>, params: P): void => later(tx, bind(undefined, params), conflicts)
  },
  decide<P extends object, O>(build: (db: SharedWriter, p: P) => Yields<O>, conflicts?: Conflicts) {
    const bind = compile((p: P) => build(cold as never, p))
    return async (tx: Tx<any>, params: P) =>
      (await ask(tx, bind(undefined, params), conflicts)).rows[0] as O | undefined
  },
}
