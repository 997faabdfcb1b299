import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/client.ts'
import { cloneDatabase, openInspector } from '../support/database.ts'
import { hold } from '../support/interleave.ts'
import { report } from '../support/invariants.ts'
import { foundCompaniesIn } from '../support/load.ts'
import { givesDatabase, inTime, SLOWNESS, until } from '../support/patience.ts'
import { openRemote, type Remote } from '../support/remote.ts'
import { startProcess } from '../support/service.ts'
import { allowed } from '../support/triggers.ts'
import { latencies } from '../support/workload.ts'

/** OVERLOAD_SECONDS=30 keeps the pressure up for longer. */
const SECONDS = Number(process.env.OVERLOAD_SECONDS ?? 0)
const CLIENTS = 300
const { DATABASE_TIMEOUT_MS } = givesDatabase(1500)
const TIMEOUT_MS = Number(DATABASE_TIMEOUT_MS)
/** What a machine with two cores may add to any figure. */
const MARGIN_MS = 1500

const databaseUrl = await cloneDatabase()
const look = await openInspector(databaseUrl)
const company = (await foundCompaniesIn(databaseUrl, 1))[0]!
const service = await startProcess({
  databaseUrl,
  env: { DATABASE_LINES: '1', DATABASE_HELD_LINES: '2', DATABASE_TIMEOUT_MS },
})
const crowd = openRemote(service.port, CLIENTS)

type Ask = () => Promise<Pick<Answer, 'status' | 'headers' | 'error'>>
interface Answered {
  status: number
  ms: number
  /** to try again in a second if nothing was done, and only then */
  isToldRightly: boolean
}

/** Every client asks again until it is enough. Beside them somebody asks whether the process lives. */
async function press(ask: Ask, isEnough: (answered: Answered[]) => boolean) {
  const answered: Answered[] = []
  const lives: { status: number; ms: number }[] = []
  const end = performance.now() + SECONDS * 1000
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      const start = performance.now()
      const { status, headers, error } = await ask()
      // A client that cannot know whether it was done is not advised to do it again.
      const mayTryAgain = status === 503 && error?.type !== 'OUTCOME_UNKNOWN'
      const isToldSo = headers['retry-after'] === '1'
      answered.push({ status, ms: performance.now() - start, isToldRightly: isToldSo === mayTryAgain })
      if (status === 503) await sleep(100)
    }
  })
  await until(async () => {
    lives.push(await service.remote.probe('/livez'))
    return performance.now() > end && isEnough(answered)
  }, 50).finally(() => (isOver = true))
  await Promise.all(clients)
  report(`${CLIENTS} clients on a database that cannot keep up`, [], {
    answered: answered.length,
    refused: answered.filter(({ status }) => status === 503).length,
    ...{ latencyMs: latencies(answered), livezMs: latencies(lives) },
  })
  expect(answered.filter(({ isToldRightly }) => !isToldRightly)).toEqual([])
  expect(lives.filter(({ status }) => status !== 200)).toEqual([])
  expect(latencies(lives).p50).toBeLessThan(inTime(250))
  expect(service.isAlive(), service.output()).toBe(true)
  return answered
}

const statusesOf = (answered: Answered[]) => new Set(answered.map(({ status }) => status))

async function expectRecovery(ask: Ask, status: number) {
  const start = performance.now()
  await expect.poll(async () => (await ask()).status, { interval: 10 }).toBe(status)
  expect(performance.now() - start).toBeLessThan(inTime(MARGIN_MS))
}

describe('more than the database can do', () => {
  test('of writes: some are done, the rest refused in time, and all is well as soon as it keeps up again', async () => {
    await look.rows(`create function dawdle() returns trigger language plpgsql as $$
      begin perform pg_sleep(${0.1 * SLOWNESS}); return new; end $$`)
    await look.rows(
      allowed('create trigger dawdle before insert on task_comments for each row execute function dawdle()'),
    )
    const { token } = company.people[0]!
    const comment = (remote: Remote) => () =>
      remote.as(token).post(`/tasks/${company.shared[0]!.id}/comments`, { content: 'Me too' })

    const answered = await press(comment(crowd), (answered) => statusesOf(answered).size > 1)

    expect(statusesOf(answered)).toEqual(new Set([201, 503]))
    expect(latencies(answered).most).toBeLessThan(inTime(TIMEOUT_MS + 2000 + MARGIN_MS))
    await look.rows(allowed('drop trigger dawdle on task_comments'))
    await expectRecovery(comment(service.remote), 201)
  })

  test('of reads: nobody waits longer than a flight may take, and all are served when it can do them again', async () => {
    const { token } = company.people[0]!
    const read = (remote: Remote) => () => remote.as(token).get(`/tasks/${company.shared[0]!.id}`)
    await read(service.remote)()
    const release = await hold(databaseUrl, 'lock table tasks')

    const answered = await press(read(crowd), ({ length }) => length >= CLIENTS)

    expect(statusesOf(answered)).toEqual(new Set([503]))
    expect(latencies(answered).most).toBeLessThan(inTime(TIMEOUT_MS + 2 * MARGIN_MS))
    await release()
    await expectRecovery(read(service.remote), 200)
  })
})
