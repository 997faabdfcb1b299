import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { checkDatabase, checkHistory, expectNoViolation, report } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { holderOf } from '../support/servers.ts'
import { killForgotten, type ServiceProcess, startProcess } from '../support/service.ts'
import { type Company, foundCompanies, startWorkload, statusesOf, type Workload } from '../support/workload.ts'

const PATIENCE_MS = 10_000

let databaseUrl: string
let look: Inspector
let service: ServiceProcess
let workload: Workload | undefined
beforeEach(async () => {
  databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
})
afterEach(async () => {
  await workload?.stop()
  workload = undefined
  if (service?.isAlive()) await service.end('SIGKILL')
  await look?.close()
})

describe('a service that is stopped', () => {
  test.each([
    ['at once', 0],
    ['after its notice to the balancer', 1500],
  ])('%s: under load, finishes what was asked before, says it is not ready, and ends well', async (_, delay) => {
    service = await startProcess({ databaseUrl, env: { SHUTDOWN_DELAY_MS: String(delay) } })
    const companies = await foundCompanies(service.remote)
    workload = startWorkload(() => service.remote, companies, { clients: 32, reads: 0.4 })
    const ready: number[] = []
    await sleep(700)

    const askedAt = performance.now()
    const ending = service.end('SIGTERM')
    while (performance.now() - askedAt < delay - 500) {
      await sleep(50)
      ready.push((await service.remote.probe('/readyz')).status)
    }
    const ended = await ending
    await workload.stop()

    const { history, foreign, malformed } = workload
    const started = history.filter(({ at, sentAt = at, ms }) => sentAt < askedAt && at + ms > askedAt)
    expectNoViolation(
      `SIGTERM under load, ${delay} ms notice`,
      [...(await checkHistory(look, history)), ...(await checkDatabase(look))],
      { ended, inHand: started.length, answeredAs: statusesOf(started), all: statusesOf(history) },
    )
    expect(ended).toMatchObject({ code: 0, signal: null })
    expect(ended.after).toBeLessThan(inTime(PATIENCE_MS))
    expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
    expect(started.length).toBeGreaterThan(0)
    expect(started.filter(({ outcome }) => outcome === 'unknown')).toEqual([])
    expect(ready).toEqual(ready.map(() => 503))
    expect(service.output()).not.toMatch(/"level":[56]0/)
  })

  test('waits for a command that waits for another', async () => {
    service = await startProcess({ databaseUrl })
    const [company] = await foundCompanies(service.remote, 1)
    const [task] = company!.shared
    const holder = await holdTask(company!)
    const answer = service.remote.as(company!.people[0]!.token).put(`/tasks/${task!.id}`, { version: 0, title: 'late' })
    await sleep(300)

    const ending = service.end('SIGTERM')
    await sleep(1500)
    expect(service.isAlive()).toBe(true)
    await holder.query('rollback')
    await holder.end()

    expect((await answer).expect(200)).toMatchObject({ title: 'late', version: 1 })
    expect(await ending).toMatchObject({ code: 0 })
  })

  test('does not wait for somebody who has sent half a request, nor for idle connections', async () => {
    service = await startProcess({ databaseUrl })
    const halves = [
      'GET /livez HTTP/1.1\r\nhost: x\r\n',
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\n' +
        'content-type: application/json\r\ncontent-length: 50\r\n\r\n{"username":',
      '',
    ].map((text) => {
      const socket = connect(service.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      return socket
    })
    await sleep(300)

    const ended = await service.end('SIGTERM')

    for (const socket of halves) socket.destroy()
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.after).toBeLessThan(inTime(PATIENCE_MS))
  })

  test('ends well while the database does not answer', async () => {
    service = await startProcess({ databaseUrl, env: { DATABASE_TIMEOUT_MS: '1000' } })
    const [company] = await foundCompanies(service.remote, 1)
    const holder = new pg.Client(databaseUrl)
    await holder.connect()
    await holder.query('begin')
    await holder.query('lock table tasks, notifications, outbox, audit_operations')
    const answer = service.remote.as(company!.people[0]!.token).get(`/tasks/${company!.shared[0]!.id}`)
    await sleep(300)

    const ended = await service.end('SIGTERM')
    await holder.end()

    ;(await answer).expect(503, 'UNAVAILABLE')
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.after).toBeLessThan(inTime(PATIENCE_MS))
  })

  test('answers every request that was sent before, of 64 clients on open connections, and sends them elsewhere', async () => {
    service = await startProcess({ databaseUrl })
    const [company] = await foundCompanies(service.remote, 1)
    const client = service.remote.as(company!.people[0]!.token)
    const answered: { at: number; status: number; isLast: boolean }[] = []
    const failed: { sentAt: number; code: string }[] = []
    const clients = Array.from({ length: 64 }, async (_, at) => {
      const call = at % 2 ? `/tasks/${company!.shared[0]!.id}` : '/notifications/unread-count'
      for (;;) {
        const answer = await client.get(call).catch((error) => void failed.push(error))
        if (!answer) return
        const isLast = answer.headers.connection === 'close'
        answered.push({ at: performance.now(), status: answer.status, isLast })
        if (isLast) return
      }
    })
    while (answered.length < 256) await sleep(20)

    const askedAt = performance.now()
    const ended = await service.end('SIGTERM')
    await Promise.all(clients)

    expect(ended).toMatchObject({ code: 0 })
    expect(failed.filter(({ sentAt }) => sentAt < askedAt)).toEqual([])
    expect(answered.filter(({ status }) => status !== 200)).toEqual([])
    // A busy client got an answer saying that this connection has no next one; the few who sent late met a closed one.
    expect(answered.filter(({ isLast }) => isLast).length).toBeGreaterThan(32)
  })

  test('resets hardly anybody who connects at that moment: 32 clients, each request on a new connection, three stops', {
    timeout: 180_000,
  }, async () => {
    const seen: Record<string, number> = {}
    for (let stop = 0; stop < 3; stop++) {
      service = await startProcess({ databaseUrl })
      const clients = Array.from({ length: 32 }, async () => {
        for (let what = ''; what !== 'ECONNREFUSED'; seen[what] = (seen[what] ?? 0) + 1)
          what = await askOnce(service.port, '/api/v1/public/home')
      })
      await sleep(500)
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
      await Promise.all(clients)
    }
    report('clients that connect while the service stops, three times', [], { seen })
    expect(Object.keys(seen).sort()).toEqual(expect.arrayContaining(['200', 'ECONNREFUSED']))
    expect(seen.ECONNRESET ?? 0).toBeLessThan(48)
    expect(Object.keys(seen).filter((what) => !['200', 'ECONNREFUSED', 'ECONNRESET'].includes(what))).toEqual([])
  })

  test.each(['SIGTERM', 'SIGHUP'] as const)('by %s ends in order, with workers as without', async (signal) => {
    for (const WORKERS of ['1', '2']) {
      service = await startProcess({ databaseUrl, env: { WORKERS } })
      const [company] = await foundCompanies(service.remote, 1)
      const [task] = company!.shared
      const holder = await holdTask(company!)
      const answer = service.remote
        .as(company!.people[0]!.token)
        .put(`/tasks/${task!.id}`, { version: 0, title: 'late' })
      answer.catch(() => {})
      await sleep(500)

      const ending = service.end(signal)
      await sleep(500)
      await holder.query('rollback')
      await holder.end()

      ;(await answer).expect(200)
      expect(await ending).toMatchObject({ code: 0, signal: null })
    }
  })

  test('writes the audit of what it refuses to the last', async () => {
    service = await startProcess({ databaseUrl })
    const [company] = await foundCompanies(service.remote, 1)
    const [task] = company!.shared
    const holder = new pg.Client(databaseUrl)
    await holder.connect()
    await holder.query('begin; lock table tasks')
    const stale = { version: 99, title: 'late' }
    const answer = service.remote
      .as(company!.people[0]!.token)
      .put(`/tasks/${task!.id}`, stale, { 'x-request-id': 'last-words' })
    await untilWaiting(look)

    const ending = service.end('SIGTERM')
    await holder.end()

    ;(await answer).expect(409, 'VERSION_CONFLICT')
    expect(await ending).toMatchObject({ code: 0 })
    expect(
      await look.count(`select count(*) from audit_operations where request_id = 'last-words' and status = 409`),
    ).toBe(1)
  })

  test('lets the courier end what it has begun: an event is delivered once, or waits for the next start', async () => {
    service = await startProcess({ databaseUrl })
    const holder = new pg.Client(databaseUrl)
    await holder.connect()
    await holder.query('begin; lock table notifications in share mode')
    await look.rows(
      `insert into outbox (tenant_id, type, title, resource_type, resource_id, receivers) values (1, 'TASK_ASSIGNED', 'News', 'task', 1, '{1}')`,
    )
    await untilWaiting(look)

    const ending = service.end('SIGTERM')
    await holder.end()

    expect(await ending).toMatchObject({ code: 0 })
    const told = await look.count('select count(*) from notifications')
    expect(told + (await look.count('select count(*) from outbox'))).toBe(1)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'a second signal (%s) ends it immediately, whatever is in hand',
    async (second) => {
      service = await startProcess({ databaseUrl })
      const [company] = await foundCompanies(service.remote, 1)
      const [task] = company!.shared
      const holder = await holdTask(company!)
      const answer = service.remote
        .as(company!.people[0]!.token)
        .put(`/tasks/${task!.id}`, { version: 0, title: 'never' })
      const failed = expect(answer).rejects.toThrow()
      await untilWaiting(look)

      const ending = service.end('SIGTERM')
      await sleep(300)
      expect(service.isAlive()).toBe(true)
      const ended = await service.end(second)
      await failed
      await holder.end()

      expect(ended).toMatchObject({ code: 1 })
      expect(ended.after).toBeLessThan(inTime(1000))
      expect(await ending).toMatchObject({ code: 1 })
    },
  )

  // A pooler keeps the connections for the next.
  test.skipIf(process.env.TEST_PGBOUNCER)('leaves no connection behind in the database', async () => {
    service = await startProcess({ databaseUrl })

    await service.end('SIGTERM')

    const left = `select count(*) from pg_stat_activity where application_name like 'atrium%' and datname = current_database()`
    expect(await look.countEverywhere(left)).toBe(0)
  })
})

/** Somebody else has the company's task, until they leave. */
async function holdTask({ tenant, shared: [task] }: Company) {
  const holder = new pg.Client(await holderOf(databaseUrl, tenant))
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from tasks where tenant_id = $1 and id = $2 for update', [tenant, task!.id])
  return holder
}

async function untilWaiting(inspector: Inspector) {
  await expect
    .poll(
      () =>
        inspector.countEverywhere(
          `select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        ),
      // What waits on a shared line gives way after a moment, and comes again.
      { timeout: 30_000, interval: 20 },
    )
    .toBeGreaterThan(0)
}

/** A request on a connection of its own. @returns its status, or the code of its error */
function askOnce(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(String(answer.statusCode)))
      answer.once('error', (error: NodeJS.ErrnoException) => resolve(`answer: ${error.code}`))
    })
    call.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    call.end()
  })
}

test('a service whose test failed before it could end it is killed after the file', async () => {
  const forgotten = await startProcess({ databaseUrl })

  killForgotten()

  expect(await forgotten.ended).toMatchObject({ signal: 'SIGKILL' })
})
