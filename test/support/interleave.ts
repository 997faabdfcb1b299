import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from '../../src/data/wire/connection.ts'
import type { Database } from '../../src/data/wire/database.ts'
import { type Call, changes } from '../../src/data/wire/flight.ts'
import type { World } from './world.ts'

/** What stops the next commit before it leaves, so that another command can come in between. */
export interface CommitGate {
  wrap(database: Database): Database
  /** The next flight that would commit a change waits at the gate. */
  hold(): { reached: Promise<void>; open(): void }
  /** transactions that have a connection of their own at this moment */
  readonly leased: number
}

export function commitGate(): CommitGate {
  let held: { arrive(): void; opened: Promise<void> } | undefined
  let leased = 0

  async function pass(): Promise<void> {
    const gate = held
    held = undefined
    gate?.arrive()
    await gate?.opened
  }
  const commits = (calls: readonly Call[]) => calls.some(({ prepared }) => prepared.text === 'commit')

  return {
    wrap: (database) => ({
      ...database,
      async send(calls) {
        if (calls.some(changes)) await pass()
        return database.send(calls)
      },
      async acquire() {
        const { connection, release } = await database.acquire()
        leased++
        const send = async (calls: readonly Call[]) => {
          if (commits(calls)) await pass()
          return connection.send(calls)
        }
        return {
          connection: Object.create(connection, { send: { value: send } }) as Connection,
          release(broken) {
            leased--
            release(broken)
          },
        }
      },
    }),
    get leased() {
      return leased
    },
    hold() {
      const arrived = Promise.withResolvers<void>()
      const opened = Promise.withResolvers<void>()
      held = { arrive: arrived.resolve, opened: opened.promise }
      return {
        reached: arrived.promise,
        open() {
          held = undefined
          opened.resolve()
        },
      }
    },
  }
}

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
  world: World,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<Interleaved<First, Second>> {
  const { reached, open } = world.gate.hold()
  try {
    const one = first()
    await Promise.race([
      reached,
      one.then((answer) => Promise.reject(new Error(`no commit: ${JSON.stringify(answer)}`))),
    ])
    const two = second()
    const waited = await waitsForLock(world, two)
    open()
    return { first: await one, second: await two, waited }
  } finally {
    open()
  }
}

/**
 * The same in the midst of a flight: a row that the first command comes to late is held from outside, so that everything
 * it locks before is locked; then the second begins, and runs until it is answered or waits as well; then the row is free.
 */
export async function interleaveBehind<First, Second>(
  world: World,
  row: string,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<Interleaved<First, Second>> {
  const release = await holdRow(world, row)
  const one = first()
  // On a connection that others share it gives up soon and comes again on one of its own; there it stays.
  while (world.gate.leased === 0) await sleep(2)
  await waitsForLock(world, one)
  const two = second()
  const waited = await waitsForLock(world, two, 2)
  await release()
  return { first: await one, second: await two, waited }
}

/** Holds what the query locks, from a connection of its own, until it is released. */
export async function holdRow(world: World, query: string): Promise<() => Promise<void>> {
  const holder = new pg.Client(world.databaseUrl)
  await holder.connect()
  await holder.query('begin')
  await holder.query(query)
  return () => holder.end()
}

/** How many of the service's statements wait for a lock at this moment. */
const WAITING = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** True as soon as so many wait for a lock, false when it has been answered before. */
export async function waitsForLock(world: World, answer: Promise<unknown>, atLeast = 1): Promise<boolean> {
  let answered = false
  const note = () => {
    answered = true
  }
  answer.then(note, note)
  while (!answered) {
    if ((await world.look.count(WAITING)) >= atLeast) return true
    await sleep(2)
  }
  return false
}
