import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Answer } from './client.ts'
import { obeying } from './obedient.ts'
import { until } from './patience.ts'
import { randomFrom } from './workload.ts'
import type { World } from './world.ts'

/** How often each race is run. RACE_ROUNDS=100 for the full run. */
export const ROUNDS = Number(process.env.RACE_ROUNDS ?? 2)
export const AT_ONCE = 64
/** Fewer, where each of them hashes a password. */
export const FEW = 16
/** RACE_SEED repeats the chances of a run. */
export const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)
export const chance = randomFrom(SEED)

/** Sends all at the same moment, each again as its 503 says. */
export const atOnce = (send: (at: number) => Promise<Answer>, times = AT_ONCE): Promise<Answer[]> =>
  Promise.all(Array.from({ length: times }, (_, at) => obeying(() => send(at))))

/** A little later, by chance, so that the rounds differ in who comes first. @param within ms */
export async function soon(send: () => Promise<Answer>, within = 15): Promise<Answer> {
  await sleep(chance() * within)
  return obeying(send)
}

/** Exactly one has the status of success; all others are refused with one of the given types. @returns the one */
export function expectOneWinner(answers: Answer[], status: number, types: string | string[], refused = 409): Answer {
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const type = answer.error?.type
    const key = type && [types].flat().includes(type) ? `${answer.status}` : `${answer.status} ${type ?? ''}`.trim()
    counts[key] = (counts[key] ?? 0) + 1
  }
  expect(counts).toEqual({ [status]: 1, [refused]: answers.length - 1 })
  return answers.find((answer) => answer.status === status)!
}

/** The last of a world: PostgreSQL has met no commands that waited for each other in a circle. */
export async function expectNoCircle({ app, database, look }: World): Promise<void> {
  // A connection reports what it has met when it ends.
  await app.close()
  await database.close()
  const left = `select count(*) from pg_stat_activity where application_name = 'atrium' and datname = current_database()`
  await until(async () => (await look.countEverywhere(left)) === 0)
  const circles = 'select deadlocks from pg_stat_database where datname = current_database()'
  expect(await look.countEverywhere(circles)).toBe(0)
}
