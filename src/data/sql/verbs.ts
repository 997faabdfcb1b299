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
import { type Conflicts, queue, run, type Scope, type Terms, type Tx } from '../tx/scope.ts'
import type { Announcement } from '../wire/announcements.ts'
import type { Row } from '../wire/flight.ts'
import { cold, compile, TENANT } from './compile.ts'
import type { DB, Protected, Shared } from './schema.ts'

/**
 * The verbs of a store. A statement is declared once, as a Kysely builder over placeholders, and called many times:
 *
 *   const findTask = find((from, p: { id: TaskId }) => from('tasks').select(columns).where('tasks.id', '=', p.id))
 *   const task = await findTask(scope, { id })
 *
 * `from`, `insert`, `update` and `remove` are filtered by the tenant or stamped with it; a domain never writes a
 * tenant_id itself. Statements called in the same turn of the loop travel in one flight: `await Promise.all([…])`, or
 * `await tx.inOrder([…])` where their order matters. Which verbs make a command, `transact` says.
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

/** A read that yields one row or undefined. It neither locks nor changes: what does is refused when it is built. */
export function find<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile('read', (p: P) => build(from, p))
  return async (scope: Scope, params: P): Promise<O | undefined> =>
    (await run(scope, bind(scope.tenantId, params))).rows[0] as O | undefined
}

/** A read that yields all its rows, under the same terms. */
export function list<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile('read', (p: P) => build(from, p))
  return async (scope: Scope, params: P): Promise<O[]> => (await run(scope, bind(scope.tenantId, params))).rows as O[]
}

/**
 * A `find` that may stand before a lock of its flight: it means to see what was there before that was granted. Any other
 * read is refused there.
 */
export function peek<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile('peek', (p: P) => build(from, p))
  return async (scope: Scope, params: P): Promise<O | undefined> =>
    (await run(scope, bind(scope.tenantId, params))).rows[0] as O | undefined
}

/** Reads one row and locks it until the transaction has ended, for the change that follows. */
export function lock<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile('lock', (p: P) => build(from, p))
  return async (tx: Tx<any>, params: P): Promise<O | undefined> =>
    (await run(tx, bind(tx.tenantId, params))).rows[0] as O | undefined
}

/** Reads rows and locks them all. */
export function lockAll<P extends object, O>(build: (from: From, p: P) => Yields<O>) {
  const bind = compile('lock', (p: P) => build(from, p))
  return async (tx: Tx<any>, params: P): Promise<O[]> => (await run(tx, bind(tx.tenantId, params))).rows as O[]
}

/** What a change may say about itself. */
export interface WriteOptions<P> {
  conflicts?: Conflicts
  /** what its commit changes for others, who remember something of it; they are told behind the commit */
  announces?: Announcement | ((p: P) => Announcement)
}

function termsOf<P>({ conflicts, announces }: WriteOptions<P>): (p: P) => Terms {
  if (typeof announces === 'function') return (p) => ({ conflicts, announces: announces(p) })
  const terms = { conflicts, announces }
  return () => terms
}

/** A change whose result nobody waits for: it is queued, and leaves with the next flight, as a rule with the commit. */
export function write<P extends object>(build: (verbs: Verbs, p: P) => Compilable, options: WriteOptions<P> = {}) {
  const bind = compile('write', (p: P) => build(verbs, p))
  const terms = termsOf(options)
  return (tx: Tx<any>, params: P): void => queue(tx, bind(tx.tenantId, params), terms(params))
}

/** A change that answers at once, for an action that cannot go on without: the returned rows, and how many were touched. */
export function writeReturning<P extends object, O>(
  build: (verbs: Verbs, p: P) => Yields<O>,
  options: WriteOptions<P> = {},
) {
  const bind = compile('write', (p: P) => build(verbs, p))
  const terms = termsOf(options)
  return async (tx: Tx<any>, params: P): Promise<{ rows: O[]; affected: number }> =>
    (await run(tx, bind(tx.tenantId, params), terms(params))) as { rows: O[]; affected: number }
}

/**
 * A change of a row as it was read, queued like `write`: its WHERE names the version. Where it touches no row, somebody
 * was faster: nothing of the flight happens, and the transaction starts over. So a row may be read without a lock.
 */
export function updateIfUnchanged<P extends object>(
  build: (verbs: Verbs, p: P) => UpdateQueryBuilder<any, any, any, any>,
  options: WriteOptions<P> = {},
) {
  return write((_, p: P) => must(build(verbs, p).returning(sql`1`.as('one'))), options)
}

/**
 * A condition that the change relies on: the row is there, and stays so until the commit that this leaves with. Where it
 * is not, the transaction starts over. `build` locks the row: `.forShare()`.
 */
export function requireAtCommit<P extends object>(build: (from: From, p: P) => Compilable) {
  return write((_, p: P) => must(build(from, p)))
}

/** Divides by the rows that were kept. Where there is none, that fails: a function which raised would cost a fifth more. */
function must(query: Compilable): Compilable {
  return db
    .with('kept', () => query as never)
    .selectFrom('kept' as never)
    .select(sql`1 / count(*)`.as('so'))
}

export type FromShared = <T extends Shared>(table: T) => Selected<T>
/** A tenant is never deleted, only closed. */
type SharedWriter = Pick<Kysely<Pick<DB, Shared>>, 'insertInto' | 'updateTable'> &
  Pick<Kysely<Pick<DB, Exclude<Shared, 'tenants'>>>, 'deleteFrom'>
const fromShared = ((table: string) => db.selectFrom(table)) as unknown as FromShared

/**
 * The way to the shared tables, which belong to no tenant: the directory of tenants and the catalogue of permissions.
 * The same verbs without a tenant; the types let no protected table through.
 */
export const directory = {
  find<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile('read', (p: P) => build(fromShared, p))
    return async (scope: Scope, params: P) => (await run(scope, bind(undefined, params))).rows[0] as O | undefined
  },
  list<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile('read', (p: P) => build(fromShared, p))
    return async (scope: Scope, params: P) => (await run(scope, bind(undefined, params))).rows as O[]
  },
  lock<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile('lock', (p: P) => build(fromShared, p))
    return async (tx: Tx<any>, params: P) => (await run(tx, bind(undefined, params))).rows[0] as O | undefined
  },
  lockAll<P extends object, O>(build: (from: FromShared, p: P) => Yields<O>) {
    const bind = compile('lock', (p: P) => build(fromShared, p))
    return async (tx: Tx<any>, params: P) => (await run(tx, bind(undefined, params))).rows as O[]
  },
  write<P extends object>(build: (db: SharedWriter, p: P) => Compilable, options: WriteOptions<P> = {}) {
    const bind = compile('write', (p: P) => build(cold as never, p))
    const terms = termsOf(options)
    return (tx: Tx<any>, params: P): void => queue(tx, bind(undefined, params), terms(params))
  },
  writeReturning<P extends object, O>(build: (db: SharedWriter, p: P) => Yields<O>, options: WriteOptions<P> = {}) {
    const bind = compile('write', (p: P) => build(cold as never, p))
    const terms = termsOf(options)
    return async (tx: Tx<any>, params: P): Promise<{ rows: O[]; affected: number }> =>
      (await run(tx, bind(undefined, params), terms(params))) as { rows: O[]; affected: number }
  },
}
