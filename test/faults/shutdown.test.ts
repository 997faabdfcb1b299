import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { ECHO_MS } from '../../appliance/cli/terminal.ts'
import { cloneDatabase, openInspector } from '../support/database.ts'
import { newFolder } from '../support/folder.ts'
import { hold } from '../support/interleave.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { givesDatabase, HOLDS_FIGURES, until } from '../support/patience.ts'
import type { RemoteClient } from '../support/remote.ts'
import { holderOf } from '../support/servers.ts'
import { type Ended, type ServiceProcess, startProcess } from '../support/service.ts'
import { startHere } from '../support/service-here.ts'
import { foundCompanies, inHandAt, startWorkload, statusesOf } from '../support/workload.ts'

/** A stop that takes longer than ten seconds ends with code 1, so 0 means that nothing kept it waiting. */
const IN_ORDER = { code: 0, signal: null }
/** Longer than any test holds a command; by default the service would give up before a slow machine lets go. */
const PATIENT = { DATABASE_TIMEOUT_MS: '60000' }

let service: ServiceProcess
const databaseUrl = await cloneDatabase()
const here = await startHere(databaseUrl)
const companies = await foundCompanies(here.remote)
const company = companies[0]!
await here.stop()
const look = await openInspector(databaseUrl)

/** The first of the company's people. */
const boss = ({ remote }: { remote: { as(token: string): RemoteClient } }) => remote.as(company.people[0]!.token)

describe('a service that is told to stop', () => {
  test('finishes under load what was asked before, and ends well', async () => {
    service = await startProcess({ databaseUrl, env: { SHUTDOWN_DELAY_MS: '300' } })
    const workload = startWorkload(() => service.remote, companies, { clients: 16, reads: 0.4 })
    await workload.served(100)

    const askedAt = performance.now()
    const ended = await service.end('SIGTERM')
    await workload.stop()

    const started = inHandAt(workload.history, askedAt)
    expect(ended).toMatchObject(IN_ORDER)
    expect(started.length).toBeGreaterThan(0)
    expect(started.filter(({ outcome }) => outcome === 'unknown')).toEqual([])
    expect(service.output()).not.toMatch(/"level":[56]0/)
    // Another delivers what it has left.
    const next = await startHere(databaseUrl)
    await expectNothingLost('SIGTERM under load', look, workload, { ended, answeredAs: statusesOf(started) })
    await next.stop()
  })

  test('by SIGHUP, with two workers, ends in order, and answers a command that is in hand', async () => {
    service = await startProcess({ databaseUrl, env: { WORKERS: '2', ...PATIENT } })
    expect(await endWithCommandInHand('SIGHUP')).toMatchObject(IN_ORDER)
  })

  test('by a SIGTERM to npm, which passes it on to a shell only, does so too', async () => {
    const cwd = newFolder()
    const start = `node ${fileURLToPath(new URL('../../start.js', import.meta.url))}`
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { start } }))
    service = await startProcess({ databaseUrl, npm: true, cwd, env: { WORKERS: '2', ...PATIENT } })
    await endWithCommandInHand('SIGTERM')
  })

  test('says that it is not ready, and serves on until its time is over or a second signal ends it, whatever is in hand', async () => {
    service = await startProcess({ databaseUrl, env: { SHUTDOWN_DELAY_MS: '60000', ...PATIENT } })
    const task = await freshTask()
    const release = await holdTask(task)
    const cut = boss(service).put(`/tasks/${task.id}`, { version: task.version, title: 'never' })
    const failed = expect(cut).rejects.toThrow()
    await untilWaiting()

    const ending = service.end('SIGTERM')
    await until(async () => (await service.remote.probe('/readyz')).status === 503)
    const served = await boss(service).get(`/tasks/${task.id}`)
    expect(served.expect(200)).toMatchObject({ version: task.version })
    expect(served.headers.connection).toBe('close')
    // The end of a terminal, or of npm, which ends with it.
    await sleep(2 * ECHO_MS)
    process.kill(service.pid, 'SIGHUP')
    expect((await boss(service).get(`/tasks/${task.id}`)).status).toBe(200)
    // One that comes soon after the first is taken for the same.
    await until(() => !service.isAlive() || !process.kill(service.pid, 'SIGINT'), 300)
    await failed
    await release()

    expect(await ending).toMatchObject({ code: 1 })
  })

  test('lets those in who connect at that moment, and resets the fewest: 32 clients, each request on a new connection', async () => {
    service = await startProcess({ databaseUrl })
    const seen: Record<string, number> = {}
    const clients = Array.from({ length: 32 }, async () => {
      for (let what = ''; what !== 'ECONNREFUSED'; seen[what] = (seen[what] ?? 0) + 1)
        what = await askOnce(service.port, '/api/v1/public/home')
    })
    await until(() => (seen['200'] ?? 0) > 64)
    expect(await service.end('SIGTERM')).toMatchObject(IN_ORDER)
    await Promise.all(clients)

    const { ECONNRESET = 0, ...others } = seen
    expect(Object.keys(others).sort()).toEqual(['200', 'ECONNREFUSED'])
    if (HOLDS_FIGURES) expect(ECONNRESET).toBeLessThan(16)
  })
})

describe('a stop', () => {
  test('does not wait for somebody who has sent half a request, nor for idle connections', async () => {
    const here = await startHere(databaseUrl)
    const halves = [
      'GET /livez HTTP/1.1\r\nhost: x\r\n',
      'POST /api/v1/auth/login HTTP/1.1\r\nhost: x\r\n' +
        'content-type: application/json\r\ncontent-length: 50\r\n\r\n{"username":',
      '',
    ].map((text) => {
      const socket = connect(here.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      return socket
    })
    // Its connection comes after theirs.
    expect(await askOnce(here.port, '/livez')).toBe('200')

    await here.stop()
    for (const socket of halves) socket.destroy()
  })

  test('answers a request that comes, on a connection from before, while the machine stands still', async () => {
    const here = await startHere(databaseUrl)
    const socket = connect(here.port, '127.0.0.1')
    const ask = () => socket.write('GET /livez HTTP/1.1\r\nhost: x\r\n\r\n')
    ask()
    await once(socket, 'readable')
    const { close } = Server.prototype
    vi.spyOn(Server.prototype, 'close').mockImplementationOnce(function (this: Server) {
      ask()
      queueMicrotask(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300))
      return close.call(this)
    })

    const [answers] = await Promise.all([text(socket), here.stop()])

    expect(answers.match(/200 OK/g)).toHaveLength(2)
  })

  test('ends while the database does not answer, and leaves no connection behind there', async () => {
    // Again if the machine is so slow that the request is cut off.
    const answer = await until(async () => {
      const here = await startHere(databaseUrl, givesDatabase(1000))
      const release = await hold(databaseUrl, 'lock table tasks, notifications, outbox, audit_operations')
      const asked = Promise.allSettled([boss(here).get(`/tasks/${company.shared[0]!.id}`)])
      await untilWaiting()
      await here.stop()
      await release()
      const [one] = await asked
      return one.status === 'fulfilled' && one.value
    })

    answer.expect(503, 'UNAVAILABLE')
    // A pooler keeps the connections for the next.
    if (process.env.TEST_PGBOUNCER) return
    const left = `select count(*) from pg_stat_activity where application_name like 'atrium%' and datname = current_database()`
    await until(async () => (await look.countEverywhere(left)) === 0)
  })

  test('writes the audit of what it refuses to the last', async () => {
    const here = await startHere(databaseUrl, PATIENT)
    const release = await hold(databaseUrl, 'lock table tasks')
    const stale = { version: 99, title: 'late' }
    const answer = boss(here).put(`/tasks/${company.shared[0]!.id}`, stale, { 'x-request-id': 'last-words' })
    await untilWaiting()

    const stopped = here.stop()
    await release()

    ;(await answer).expect(409, 'VERSION_CONFLICT')
    await stopped
    expect(
      await look.count(`select count(*) from audit_operations where request_id = 'last-words' and status = 409`),
    ).toBe(1)
  })
})

/** The signal comes while a command waits for its task. @returns the end, after the answer */
async function endWithCommandInHand(signal: NodeJS.Signals): Promise<Ended> {
  const task = await freshTask()
  const release = await holdTask(task)
  const answer = boss(service).put(`/tasks/${task.id}`, { version: task.version, title: 'late' })
  await untilWaiting()

  const ending = service.end(signal)
  const isLast = async () => (await boss(service).get('/auth/me')).headers.connection === 'close'
  await until(() => isLast().catch(() => true))
  expect(await Promise.race([ending, 'it runs'])).toBe('it runs')
  await release()

  expect((await answer).expect(200)).toMatchObject({ title: 'late', version: task.version + 1 })
  return ending
}

/** One of the company's tasks, as it is now. */
async function freshTask(): Promise<{ id: number; version: number }> {
  const [task] = await look.rows<{ id: number; version: number }>(
    'select id::float8, version from tasks where tenant_id = $1 and id = $2',
    [company.tenant, company.shared[0]!.id],
  )
  return task!
}

const holdTask = async ({ id }: { id: number }) =>
  hold(
    await holderOf(databaseUrl, company.tenant),
    `select 1 from tasks where tenant_id = ${company.tenant} and id = ${id} for update`,
  )

/** Until somebody waits for what a test holds: services that start wait for each other too. */
const untilWaiting = () =>
  until(
    async () =>
      (await look.countEverywhere(
        `select count(*) from pg_stat_activity waiting where datname = current_database() and exists (
           select from pg_stat_activity holder
            where holder.pid = any (pg_blocking_pids(waiting.pid)) and holder.application_name = '')`,
      )) > 0,
  )

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
