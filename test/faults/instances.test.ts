import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { endsWithFile } from '../support/clean-up.ts'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { HOLDS_FIGURES, inTime, PATIENCE_MS, until } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { allowed } from '../support/triggers.ts'
import { type Entry, foundCompanies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** KILLS=20 for the full run. */
const KILLS = Number(process.env.KILLS ?? 1)
/** STOPS=10 STOP_SECONDS=12 for the full run; PostgreSQL ends a transaction that has been idle for ten seconds. */
const STOPS = Number(process.env.STOPS ?? 1)
const STOP_SECONDS = Number(process.env.STOP_SECONDS ?? 0)
const IDLE_MS = 10_000
const CLIENTS = 16
const PROBES = 4

describe('two instances on one database', () => {
  let databaseUrl: string
  let look: Inspector
  let services: ServiceProcess[] = []
  let workload: Workload
  beforeAll(async () => {
    databaseUrl = await cloneDatabase()
    look = await openInspector(databaseUrl)
    services = await Promise.all([start(), start()])
    const companies = await foundCompanies(services[0]!.remote)
    let turn = 0
    // A client that is not served tries the other.
    const either = () => services[turn++ % services.length]!.remote
    workload = startWorkload(either, companies, { clients: CLIENTS, reads: 0.2, restMs: 5 })
    await workload.served(CLIENTS)
  })

  /** What waits for a lock of the one that stands still is given up no sooner than that. */
  const start = (port?: number) =>
    startProcess({ databaseUrl, ...(port && { port }), env: { DATABASE_TIMEOUT_MS: '60000' } })

  test(`of which one stands still and goes on, ${STOPS} times, answer all who waited for it`, async () => {
    const { history } = workload
    const isPending = ({ ms }: Entry) => ms === 0

    for (let stop = 0; stop < STOPS; stop++) {
      await workload.served(CLIENTS)
      process.kill(services[0]!.pid, 'SIGSTOP')
      const stoppedAt = performance.now()
      await sleep(STOP_SECONDS * 1000)
      await until(() => history.filter(isPending).length === CLIENTS)
      const heldUp = history.filter(isPending)
      process.kill(services[0]!.pid, 'SIGCONT')
      const stoodFor = performance.now() - stoppedAt
      await until(() => !heldUp.some(isPending))
      const wereHeldFor = performance.now() - stoppedAt

      report('a stop of one of two', [], { heldUp: tally(heldUp), stoodFor })
      expect(heldUp.filter(({ status }) => status === undefined)).toEqual([])
      // What the database has answered meanwhile is read before it is given up.
      if (wereHeldFor < IDLE_MS) expect(tally(heldUp).unknown ?? 0).toBe(0)
    }
    expect(services[0]!.isAlive(), services[0]!.output()).toBe(true)
  })

  test(`of which one or the other is killed, ${KILLS} times, serve anyone who tries the other`, async () => {
    const probing = startProbes()

    for (let kill = 0; kill < KILLS; kill++) {
      await probing.eachServed()
      const victim = services[kill % 2]!
      await victim.end('SIGKILL')
      await probing.eachServed()
      services[kill % 2] = await start(victim.port)
    }
    await probing.stop()

    report(`${KILLS} kills of one of two`, [], { withoutServiceMs: probing.gaps })
    expect(Math.max(...probing.gaps)).toBeLessThan(inTime(1000))
  })

  test('of which both are killed serve again soon, if only by one', async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')))
    services = [await start(services[0]!.port)]
    await workload.served(CLIENTS)
    expect(services[0]!.readyAfter).toBeLessThan(inTime(3000))
  })

  test('lose, double and mix up nothing by that', () => expectNothingLost('kills and stops', look, workload))

  test('that are killed between the commit and the answer have done it, once, and the news arrives', async () => {
    const [company] = await foundCompanies(services[0]!.remote, 1)
    const { tenant, people, shared } = company!
    const [boss, author] = people
    const path = `/tasks/${shared[0]!.id}/comments`

    for (let kill = 0; kill < KILLS; kill++) {
      const content = `comment ${kill}`
      const release = await holdNotifications()
      const answer = services[0]!.remote.as(author!.token).post(path, { content })
      answer.catch(() => {})
      await until(
        async () => (await look.count('select count(*) from task_comments where content = $1', [content])) > 0,
      )
      await services[0]!.end('SIGKILL')
      await release()
      await expect(answer).rejects.toThrow()
      services[0] = await start(services[0]!.port)

      const comments = (await services[0]!.remote.as(author!.token).get(path)).expect(200)
      expect(comments.filter((comment: any) => comment.content === content)).toHaveLength(1)
      await untilDelivered(look)
    }

    const inbox = (await services[0]!.remote.as(boss!.token).get('/notifications')).expect(200)
    const comments = inbox.filter(({ type }: any) => type === 'TASK_COMMENTED')
    expect(comments.map(({ content }: any) => content).reverse()).toEqual(
      Array.from({ length: KILLS }, (_, kill) => `comment ${kill}`),
    )
    const audited = `select count(*) from audit_operations where tenant_id = $1 and route like '%/comments' and status = 201`
    expect(await look.count(audited, [tenant])).toBe(KILLS)
    expectNoViolation('killed between commit and answer', await checkDatabase(look), { kills: KILLS })
  })

  /**
   * Nobody can put a notification in until it is released: a command that has news waits between its commit and its
   * answer. It sleeps, because it would give up a lock.
   */
  async function holdNotifications(): Promise<() => Promise<unknown>> {
    const hold = (wait: string) =>
      look.rows(
        `create or replace function hold() returns trigger language plpgsql as $$ begin ${wait} return new; end $$`,
      )
    await hold('perform pg_sleep(3600);')
    await look.rows(allowed('create trigger hold before insert on notifications for each row execute function hold()'))
    return async () => {
      await hold('')
      await look.countEverywhere(`select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`)
      await look.rows(allowed('drop trigger hold on notifications'))
    }
  }

  /** Clients that write again and again, and go to the other instance with whatever is not answered. */
  function startProbes() {
    let probing = true
    let served: boolean[] = []
    const gaps = Array.from({ length: PROBES }, () => 0)
    const probes = gaps.map(async (_, at) => {
      const { people } = workload.companies[at % workload.companies.length]!
      let servedAt = performance.now()
      for (let mine = at; probing; ) {
        const client = services[mine % 2]!.remote.as(people[1]!.token)
        const answer = await Promise.race([
          client.put('/notifications/read-all').catch(() => undefined),
          sleep(HOLDS_FIGURES ? 500 : PATIENCE_MS / 4),
        ])
        if (answer?.status !== 200) {
          mine++
          continue
        }
        served[at] = true
        gaps[at] = Math.max(gaps[at]!, Math.round(performance.now() - servedAt))
        servedAt = performance.now()
        await sleep(10)
      }
    })
    return {
      /** for each the longest time between two answers so far, in milliseconds */
      gaps,
      eachServed() {
        served = []
        return until(() => served.filter(Boolean).length === PROBES)
      },
      stop: endsWithFile(async () => {
        probing = false
        await Promise.all(probes)
      }),
    }
  }
})
