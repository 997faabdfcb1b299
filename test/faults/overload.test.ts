import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { report } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { openRemote, type Remote } from '../support/remote.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, latencies } from '../support/workload.ts'

/** OVERLOAD_SECONDS=30 keeps the pressure up for longer. */
const SECONDS = Number(process.env.OVERLOAD_SECONDS ?? 3)
const CLIENTS = 300
/** A transaction waits so long for a line. */
const HOLD_MS = 2000
/** What a busy machine with two cores may add to any figure. */
const MARGIN_MS = 1500

let databaseUrl: string
let look: Inspector
let service: ServiceProcess
let crowd: Remote
beforeEach(async () => {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
})
afterEach(async () => {
  crowd?.close()
  if (service?.isAlive()) await service.end('SIGKILL')
  await look?.close()
})

interface Answered {
  status: number
  ms: number
  /** to try again in a second if nothing was done, and only then */
  isToldRightly: boolean
}

async function givenService(env: Record<string, string>): Promise<Company> {
  service = await startProcess({ databaseUrl, env })
  crowd = openRemote(service.port, CLIENTS)
  return (await foundCompanies(service.remote, 1))[0]!
}

/** Every client asks again as soon as it is answered. Beside them somebody asks whether the process lives. */
async function press(
  ask: (
    client: number,
  ) => Promise<{ status: number; headers: Record<string, unknown>; error: { type: string } | undefined }>,
) {
  const answered: Answered[] = []
  const lives: { status: number; ms: number }[] = []
  const end = performance.now() + SECONDS * 1000
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (performance.now() < end) {
      const start = performance.now()
      const { status, headers, error } = await ask(client)
      // A client that cannot know whether it was done is not advised to do it again.
      const mayTryAgain = status === 503 && error?.type !== 'OUTCOME_UNKNOWN'
      const isToldSo = headers['retry-after'] === '1'
      answered.push({ status, ms: performance.now() - start, isToldRightly: isToldSo === mayTryAgain })
      if (status === 503) await sleep(100)
    }
  })
  while (performance.now() < end) {
    lives.push(await service.remote.probe('/livez'))
    await sleep(50)
  }
  await Promise.all(clients)
  const count = (status: number) => answered.filter((answer) => answer.status === status).length
  report(`${CLIENTS} clients on a database that cannot keep up`, [], {
    answered: answered.length,
    done: count(200),
    refused: count(503),
    latencyMs: latencies(answered),
    livezMs: latencies(lives),
  })
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200, 503]))
  expect(answered.filter(({ isToldRightly }) => !isToldRightly)).toEqual([])
  expect(lives.filter(({ status }) => status !== 200)).toEqual([])
  expect(latencies(lives).p50).toBeLessThan(inTime(250))
  expect(service.isAlive(), service.output()).toBe(true)
  return answered
}

/** The first answer is a good one. */
async function expectRecovery(ask: () => Promise<{ status: number }>) {
  const start = performance.now()
  await expect.poll(async () => (await ask()).status, { timeout: 3000, interval: 10 }).toBe(200)
  expect(performance.now() - start).toBeLessThan(inTime(MARGIN_MS))
}

describe('more than the database can do', () => {
  test('of writes: some are done, the rest refused in time, and all is well as soon as it keeps up again', async () => {
    const company = await givenService({ DATABASE_LINES: '1', DATABASE_HELD_LINES: '2', DATABASE_TIMEOUT_MS: '2000' })
    await look.rows(`create function dawdle() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.1); return new; end $$`)
    await look.rows(
      allowed('create trigger dawdle before insert on task_comments for each row execute function dawdle()'),
    )
    const { token } = company.people[0]!
    const comment = (remote: Remote) => () =>
      remote.as(token).post(`/tasks/${company.shared[0]!.id}/comments`, { content: 'Me too' }).then(asDone)

    const answered = await press(comment(crowd))

    expect(latencies(answered).most).toBeLessThan(inTime(HOLD_MS + 2000 + MARGIN_MS))
    await look.rows(allowed('drop trigger dawdle on task_comments'))
    await expectRecovery(comment(service.remote))
  })

  test('of reads: nobody waits longer than a flight may take, and many are refused immediately', async () => {
    const company = await givenService({ DATABASE_LINES: '1', DATABASE_TIMEOUT_MS: '1000' })
    const { token } = company.people[0]!
    const read = (remote: Remote) => () => remote.as(token).get(`/tasks/${company.shared[0]!.id}`)
    await read(service.remote)()
    const holder = new pg.Client(databaseUrl)
    await holder.connect()
    await holder.query('begin; lock table tasks')
    setTimeout(() => void holder.query('rollback'), SECONDS * 700)

    const answered = await press(read(crowd))
    await holder.end()

    expect(latencies(answered).most).toBeLessThan(inTime(1000 + MARGIN_MS + MARGIN_MS))
    await expectRecovery(read(service.remote))
  })
})

/** Citus takes triggers of distributed tables only if this setting is on; without Citus it means nothing. */
const allowed = (statement: string) =>
  `do $$ begin perform set_config('citus.enable_unsafe_triggers', 'on', true); ${statement}; end $$`

/** 201 is as good as 200 here. */
function asDone<T extends { status: number }>(answer: T): T {
  return answer.status === 201 ? { ...answer, status: 200 } : answer
}
