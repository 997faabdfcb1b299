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
import type { TenantId } from '../../kernel/actor.ts'
import { type Fault, fail } from '../../kernel/fault.ts'
import { type Conflicts, last, queue, run, type Scope, type Terms, type Tx } from '../tx/scope.ts'
import type { Announcement } from '../wire/announcements.ts'
import type { Intent, Row } from '../wire/flight.ts'
import { cold, compile, type StatementTraits, TENANT } from './compile.ts'
import type { DB, Protected, Shared } from './schema.ts'

/**
 * The verbs of a store. A statement is declared once, as a Kysely builder over placeholders, and called many times:
 *
 *   const findTask = find((from, p: { id: TaskId }) => from('tasks').select(columns).where('tasks.id', '=', p.id))
 *   const task = await findTask(scope, { id })                    // Task | undefined
 *
 * A statement that has to find its row carries the fault, and its result is never undefined:
 *
 *   const getTask = find(…).or(taskFaults.notFound)
 *   const task = await getTask(scope, { id })                     // Task, or NOT_FOUND
 *
 * `from`, `insert`, `update` and `remove` are filtered by the tenant or stamped with it; a domain never writes a
 * tenant_id itself. Statements called in the same turn of the loop travel in one flight: `await Promise.all([…])`, or
 * `await tx.inOrder([…])` if their order matters. `transact` says which verbs make a command.
 */
type Selected<T extends keyof DB> = SelectQueryBuilder<DB, T, Record<never, never>>
export type From = <T extends Protected>(table: T) => Selected<T>
export type FromShared = <T extends Shared>(table: T) => Selected<T>
export interface Verbs {
  from: From
  insert<T extends Protected>(
    table: T,
    values: Omit<InsertObject<DB, T>, 'tenantId'>,
  ): InsertQueryBuilder<DB, T, InsertResult>
  update<T extends Protected>(table: T): UpdateQueryBuilder<DB, T, T, UpdateResult>
  remove<T extends Protected>(table: T): DeleteQueryBuilder<DB, T, DeleteResult>
}
/** Writes the shared tables. A tenant is never deleted, only closed. */
type SharedVerbs = Pick<Kysely<Pick<DB, Shared>>, 'insertInto' | 'updateTable'> &
  Pick<Kysely<Pick<DB, Exclude<Shared, 'tenants'>>>, 'deleteFrom'>
interface Yields<O> extends Compilable<O> {}

const db = cold as unknown as Kysely<Record<string, any>>
const from = ((table: string) => db.selectFrom(table).where(`${table}.tenantId`, '=', TENANT)) as unknown as From
const verbs = {
  from,
  insert: (table: string, values: Row) => db.insertInto(table).values({ ...values, tenantId: TENANT }),
  update: (table: string) => db.updateTable(table).where(`${table}.tenantId`, '=', TENANT),
  remove: (table: string) => db.deleteFrom(table).where(`${table}.tenantId`, '=', TENANT),
} as unknown as Verbs
const fromShared = ((table: string) => db.selectFrom(table)) as unknown as FromShared

/** What a read may declare about itself. */
export type ReadOptions<P> = Omit<StatementTraits<P>, 'draws'>

/** What a change may declare about itself. */
export interface WriteOptions<P> {
  /** the faults of the constraints it can violate */
  conflicts?: Conflicts
  /** what its commit changes for others that remember something of it; they are notified after the commit */
  announces?: Announcement | ((p: P) => Announcement | readonly Announcement[])
}

/** A read of one row, by a Scope or, if it locks, by a Tx. */
export interface ReadsOne<Handle extends Scope, P, O> {
  (scope: Handle, params: P): Promise<O | undefined>
  /** The same statement for a row that must exist. @throws the fault if it does not */
  or(fault: () => Fault): (scope: Handle, params: P) => Promise<O>
}
type ReadsAll<Handle extends Scope, P, O> = (scope: Handle, params: P) => Promise<O[]>

function verbsOver<F, W>(from: F, verbs: W, tenantOf: (scope: Scope) => TenantId | undefined) {
  const reads =
    <Handle extends Scope>(intent: Intent) =>
    <P extends object, O>(build: (from: F, p: P) => Yields<O>, options?: ReadOptions<P>): ReadsAll<Handle, P, O> => {
      const bind = compile(intent, (p: P) => build(from, p), options)
      return async (scope, params) => (await run(scope, bind(tenantOf(scope), params))).rows as O[]
    }

  const readsOne =
    <Handle extends Scope>(intent: Intent) =>
    <P extends object, O>(build: (from: F, p: P) => Yields<O>, options?: ReadOptions<P>) => {
      const read = reads<Handle>(intent)(build, options)
      const find = async (scope: Handle, params: P) => (await read(scope, params))[0]
      const or = (fault: () => Fault) => async (scope: Handle, params: P) =>
        (await find(scope, params)) ?? fail(fault())
      return Object.assign(find, { or }) as ReadsOne<Handle, P, O>
    }

  function writes<P extends object>(build: (verbs: W, p: P) => Compilable, { conflicts, announces }: WriteOptions<P>) {
    const bind = compile('write', (p: P) => build(verbs, p))
    const fixed = typeof announces === 'function' ? undefined : { conflicts, announces: announces && [announces] }
    const termsOf = (p: P): Terms =>
      fixed ?? { conflicts, announces: [(announces as (p: P) => Announcement)(p)].flat() }
    return (tx: Tx<any>, params: P) => [tx, bind(tenantOf(tx), params), termsOf(params)] as const
  }

  return {
    /**
     * A read that returns one row or undefined. It neither locks nor changes: a statement that does is refused when it
     * is built. With `beforeLock` it may come before a lock of its flight, because it is meant to see the state before
     * the lock was granted.
     */
    find: readsOne<Scope>('read'),

    /** A read that returns all its rows, on the same terms. */
    list: reads<Scope>('read'),

    /** Reads one row and locks it until the transaction ends, for the change that follows. */
    lock: readsOne<Tx<any>>('lock'),

    /** Reads rows and locks them all. */
    lockAll: reads<Tx<any>>('lock'),

    /**
     * A change whose result the action does not need: it is queued, and leaves with the next flight, usually the
     * commit.
     */
    write<P extends object>(build: (verbs: W, p: P) => Compilable, options: WriteOptions<P> = {}) {
      const prepare = writes(build, options)
      return (tx: Tx<any>, params: P): void => queue(...prepare(tx, params))
    },

    /**
     * A change whose result the action waits for: the returned rows, and how many rows it changed. `atCommit` is the same
     * change for an action that has nothing left to decide: it leaves with the commit, which saves a flight, and the
     * result is there when the transaction has committed.
     *
     *   const { taken } = await markInTenant(database, tenantId, 'mail', async (tx) => ({ taken: takeMails.atCommit(tx, p) }))
     *   const { rows } = await taken
     */
    writeReturning<P extends object, O>(build: (verbs: W, p: P) => Yields<O>, options: WriteOptions<P> = {}) {
      const prepare = writes(build, options)
      type Changed = Promise<{ rows: O[]; affected: number }>
      const change = (tx: Tx<any>, params: P) => run(...prepare(tx, params)) as Changed
      return Object.assign(change, { atCommit: (tx: Tx<any>, params: P) => last(...prepare(tx, params)) as Changed })
    },
  }
}

export const { find, list, lock, lockAll, write, writeReturning } = verbsOver(from, verbs, ({ tenantId }) => tenantId)

/**
 * Access to the shared tables, which belong to no tenant: the directory of tenants and the catalogue of permissions.
 * The same verbs without a tenant; their types accept no protected table.
 */
export const directory = verbsOver(fromShared, cold as SharedVerbs, () => undefined)

/**
 * A change of a row as it was read, queued like `write`: its WHERE names the version. If it changes no row, another
 * command was faster: nothing of the flight happens, and the transaction starts over. So a row can be read without a
 * lock.
 */
export function updateIfUnchanged<P extends object>(
  build: (verbs: Verbs, p: P) => UpdateQueryBuilder<any, any, any, any>,
  options?: WriteOptions<P>,
) {
  return write((_, p: P) => must(build(verbs, p).returning(sql`1`.as('one'))), options)
}

/**
 * A condition that the change relies on: the row exists, and stays until the commit that this leaves with. If it does
 * not exist, the transaction starts over. `build` locks the row: `.forShare()`.
 */
export function requireAtCommit<P extends object>(build: (from: From, p: P) => Compilable) {
  return write((_, p: P) => must(build(from, p)))
}

/** Divides by the number of rows, which fails if there are none: a function that raises would cost a fifth more. */
function must(query: Compilable): Compilable {
  return db
    .with('kept', () => query as never)
    .selectFrom('kept' as never)
    .select(sql`1 / count(*)`.as('so'))
}
