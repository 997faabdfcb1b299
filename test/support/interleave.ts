import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Tx } from '../../src/data/tx/scope.ts'
import { transact } from '../../src/data/tx/transact.ts'
import type { Connection } from '../../src/data/wire/connection.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { type Call, changes } from '../../src/data/wire/flight.ts'
import { type System, system } from '../../src/kernel/actor.ts'
import { endsWithFile } from './clean-up.ts'
import type { Answer } from './client.ts'
import { cloneDatabase, openInspector } from './database.ts'
import { openLayer } from './layer.ts'
import { changeSealed } from './sealed.ts'
import { holderOf } from './servers.ts'
import type { World } from './world.ts'

/** What stops a command in front of its commit, so that another can come in between. */
export type StopAt = 'commit' | 'first change'

export interface CommitGate {
  wrap(database: Database): Database
  /** Runs a command; its commit, or the first flight that writes at all, waits at the gate until `opened`. */
  stop<T>(command: () => Promise<T>, at: StopAt, reached: () => void, opened: Promise<void>): Promise<T>
  /** Runs a command, and says when it gets a connection of its own. */
  watch<T>(command: () => Promise<T>, leased: () => void): Promise<T>
}

export function commitGate(): CommitGate {
  const stopped = new AsyncLocalStorage<{ at: StopAt; reached(): void; opened: Promise<void>; isPast: boolean }>()
  const watched = new AsyncLocalStorage<() => void>()

  async function pass(): Promise<void> {
    const command = stopped.getStore()
    if (!command || command.isPast) return
    command.isPast = true
    command.reached()
    await command.opened
  }
  const writes = ({ prepared }: Call) => prepared.intent === 'write'
  const commits = (calls: readonly Call[]) => calls.some(({ prepared }) => prepared.text === 'commit')

  return {
    wrap: (database) => ({
      ...database,
      async send(tenantId, calls) {
        if (calls.some(changes)) await pass()
        return database.send(tenantId, calls)
      },
      async acquire(tenantId) {
        const { connection, release } = await database.acquire(tenantId)
        watched.getStore()?.()
        const send = async (calls: readonly Call[]) => {
          if (commits(calls) || (stopped.getStore()?.at === 'first change' && calls.some(writes))) await pass()
          return connection.send(calls)
        }
        return { connection: Object.create(connection, { send: { value: send } }) as Connection, release }
      },
    }),
    stop: (command, at, reached, opened) => stopped.run({ at, reached, opened, isPast: false }, command),
    watch: (command, leased) => watched.run(leased, command),
  }
}

/** A command, and how it must be answered when it meets another. */
export type Met = [command: () => Promise<Answer>, status: number, type?: string]

/** Interleaves two commands. @returns what each says, and whether the second waited; throws if one is answered otherwise */
export async function meet(place: Place, [first, ...one]: Met, [second, ...two]: Met, at?: StopAt): Promise<any> {
  const met = await interleave(place, first, second, at)
  return { waited: met.waited, first: met.first.expect(...one), second: met.second.expect(...two) }
}

/** Where it happens: a world, or an existing part of one. */
export type Place = Pick<World, 'gate' | 'look' | 'databaseUrl'>

export interface Interleaved<First, Second> {
  first: First
  second: Second
  /** the second was not answered before the first had committed */
  waited: boolean
}

/**
 * Lets the first command load and decide, and stops it in front of its commit; then the second begins, and runs until it
 * is answered or waits for a lock; then the first goes on. So it is not left to luck who meets whom.
 */
export async function interleave<First, Second>(
  place: Place,
  first: () => Promise<First>,
  second: () => Promise<Second>,
  at: StopAt = 'commit',
): Promise<Interleaved<First, Second>> {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  try {
    const one = place.gate.stop(first, at, reached.resolve, opened.promise)
    const answered = one.then((answer) => Promise.reject(new Error(`it committed nothing: ${JSON.stringify(answer)}`)))
    await Promise.race([reached.promise, answered])
    answered.catch(() => {})
    const two = second()
    const waited = await waitsForLock(place, two)
    opened.resolve()
    return { first: await one, second: await two, waited }
  } finally {
    opened.resolve()
  }
}

/**
 * The same during a flight: a row that the first command reaches late is held from outside, so that everything it locks
 * before is locked; then the second begins, and runs until it is answered or waits as well; then the row is released.
 */
export async function interleaveBehind<First, Second>(
  place: Place,
  { tenant, row }: { tenant: { id: number }; row: string },
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<Interleaved<First, Second>> {
  const release = await holdRow(place, tenant, row)
  const leased = Promise.withResolvers<void>()
  const one = place.gate.watch(first, leased.resolve)
  // On a connection that others share it gives up soon and comes again on one of its own; there it stays.
  await Promise.race([leased.promise, one])
  await waitsForLock(place, one)
  const two = second()
  const waited = await waitsForLock(place, two, 2)
  await release()
  return { first: await one, second: await two, waited }
}

/** A transaction of somebody else, until it is committed or its connection released, at the latest after the file. */
export async function openTransaction(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  const release = endsWithFile(() => client.end())
  await client.query('begin')
  return {
    query: (sql: string, values: unknown[] = []) => client.query(sql, values),
    async commit() {
      await client.query('commit')
      await release()
    },
    release,
  }
}

/** Somebody else has what this statement locks, until it is released, at the latest after the file. */
export async function hold(url: string, statement: string): Promise<() => Promise<void>> {
  const { query, release } = await openTransaction(url)
  await query(statement)
  return release
}

/**
 * Holds what the query locks, from a connection of its own to the server of the tenant, until it is released.
 * @throws if it locks nothing, because nobody would wait then
 */
export async function holdRow(place: Place, tenant: { id: number }, query: string): Promise<() => Promise<void>> {
  const holder = await openTransaction(await holderOf(place.databaseUrl, tenant.id))
  const { rowCount } = await holder.query(query)
  if (rowCount) return holder.release
  await holder.release()
  throw new Error(`this locks no row: ${query}`)
}

/** How many commands wait for a lock at this moment. Jobs of search may wait for each other, and who adds a page for others. */
export const WAITING = `
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and wait_event <> 'extend' and query not like '%search_cursors%'`

/** True as soon as so many wait for a lock, false when it has been answered before. */
export async function waitsForLock(place: Place, answer: Promise<unknown>, atLeast = 1): Promise<boolean> {
  let answered = false
  const note = () => {
    answered = true
  }
  answer.then(note, note)
  while (!answered) {
    if ((await place.look.countEverywhere(WAITING)) >= atLeast) return true
    await sleep(2)
  }
  return false
}

/**
 * Whether a worker passes over a row that another one has, and takes it afterwards, on a database on which no service
 * runs, whose workers would be faster.
 * @param statements which make the row, in tenant 1
 */
export async function passesOver(
  world: World,
  { table, statements }: { table: string; statements: readonly string[] },
  takeSome: (tx: Tx<System>) => Promise<{ rows: readonly unknown[] }>,
): Promise<boolean> {
  const databaseUrl = await cloneDatabase()
  const place = { databaseUrl, look: await openInspector(databaseUrl), gate: world.gate }
  const layer = await openLayer(databaseUrl)
  for (const sql of statements) await place.look.rows(sql)
  const take = async () =>
    (await transact(layer, { tenantId: 1, actor: system, requestId: 'test' }, takeSome)).rows.length
  const release = await holdRow(place, { id: 1 }, `select 1 from ${table} where tenant_id = 1 for update`)
  const taking = take()
  const waited = await waitsForLock(place, taking)
  await release()
  return !waited && (await taking) === 0 && (await take()) === 1
}

/**
 * Whether a change of the sealing key waits for a change of the secret, and finds it then.
 * @param insert which makes the row, with the tenant as $1
 */
export async function waitsForSecret(world: World, column: string, insert: string): Promise<boolean> {
  const tenant = await world.givenTenant()
  await world.look.rows(insert, [tenant.id])
  const [table] = column.split('.')
  const read = () =>
    changeSealed(
      world,
      tenant.id,
      ({ sealed }) => sealed,
      (one) => one.table === table,
    )
  const held = `select 1 from ${table} where tenant_id = ${tenant.id} for update`
  const release = await holdRow(world, tenant, held)
  const reading = read()
  const waited = await waitsForLock(world, reading)
  await release()
  await reading
  return waited && (await read()).length === 1
}
