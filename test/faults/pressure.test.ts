import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { inTime } from '../support/patience.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder, headOf, uploadTo } from '../support/uploads.ts'
import { foundCompanies, latencies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** SLOW_CLIENTS=1000 for the full run, which waits until the last of them has been cut off. */
const SLOW_CLIENTS = Number(process.env.SLOW_CLIENTS ?? 80)
const FULL = process.env.SLOW_CLIENTS !== undefined
/** The bytes of the file that is read slowly: more than the kernel buffers for a client. */
const SIZE = 10_000_000
/** An address and not a path: in NODE_OPTIONS a space would part it. */
const STANDSTILL = new URL('../support/standstill.ts', import.meta.url).href
/** What a busy machine with two cores may add to any figure. */
const MARGIN_MS = 500

const folder = givenFolder()
let look: Inspector
let service: ServiceProcess
let workload: Workload
afterEach(async () => {
  await workload?.stop()
  await service?.end('SIGKILL')
  await look?.close()
  folder.remove()
})

async function givenLoad(clients: number, env: Record<string, string>) {
  const databaseUrl = await cloneDatabase()
  look = await openInspector(databaseUrl)
  service = await startProcess({ databaseUrl, env })
  const companies = await foundCompanies(service.remote)
  workload = startWorkload(() => service.remote, companies, { clients, reads: 0.5 })
  await sleep(500)
  return companies
}

describe('an event loop that stands still for two seconds', () => {
  test('leaves nobody without an answer, and is made up for within a second', { timeout: 60_000 }, async () => {
    await givenLoad(32, { NODE_OPTIONS: `--import=${STANDSTILL}` })
    const { history } = workload

    const from = performance.now()
    process.kill(service.pid, 'SIGUSR2')
    await sleep(100)
    const { ms: stoodStill } = await service.remote.probe('/livez')
    const goesOnAt = performance.now()
    await sleep(1500)
    await workload.stop()
    await untilDelivered(look)

    const heldUp = history.filter(({ at, ms }) => at < goesOnAt && at + ms > from + 1000)
    const madeUpAfter = Math.max(...heldUp.map(({ at, ms }) => at + ms - goesOnAt))
    const outcomes = tally(heldUp)
    expectNoViolation('a standstill', [...(await checkHistory(look, history)), ...(await checkDatabase(look))], {
      stoodStill: Math.round(stoodStill),
      heldUp: outcomes,
      madeUpAfterMs: Math.round(madeUpAfter),
    })
    expect(stoodStill).toBeGreaterThan(1500)
    expect(heldUp.length).toBeGreaterThan(10)
    expect(heldUp.filter(({ status }) => status === undefined)).toEqual([])
    expect(madeUpAfter).toBeLessThan(inTime(1000 + MARGIN_MS))
  })
})

describe(`${SLOW_CLIENTS} clients that take their time`, () => {
  test('do not slow the others down, and are cut off', { timeout: 180_000 }, async () => {
    const companies = await givenLoad(8, { FILE_STORAGE_ROOT: folder.root })
    const { token } = companies[0]!.people[0]!
    const form = formOf([{ filename: 'a.png', content: pngOf(SIZE) }])
    const file = (await uploadTo(service.port, token, form))!.data.url
    const calm = await measure(FULL ? 5000 : 1500)

    const ask = (text: string) => `${text} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`
    const json = `content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`
    const beginnings = {
      headers: `${ask('GET /api/v1/projects')}x-slow: `,
      body: `${ask('POST /api/v1/approvals')}${json}`,
      form: `${headOf(token, form.headers, form.payload.length)}${form.payload.toString('latin1', 0, 3000)}`,
      reader: `${ask(`GET ${file}`)}\r\n`,
    }
    const senders = ['headers', 'body', 'form'] as const
    const clients: SlowClient[] = []
    const arrivalFrom = performance.now()
    for (let at = 0; at < SLOW_CLIENTS; at++) {
      const name = at % 10 === 9 ? 'reader' : senders[at % senders.length]!
      clients.push(await openSlowly(name, beginnings[name]))
      // Not faster than the service comes to read them.
      if (at % 20 === 0) await service.remote.probe('/livez')
    }
    const arrival = Math.round(performance.now() - arrivalFrom)
    const dripping = setInterval(() => clients.forEach((client) => void client.drip()), FULL ? 10_000 : 500)
    // Their arrival is work like any other; it is their staying that must cost nothing.
    await sleep(FULL ? 4000 : 500)
    const slow = await measure(FULL ? 5000 : 1500)
    const cutAfterMs: Record<string, number> = {}
    if (FULL) {
      for (const { name, closed } of clients)
        if (name !== 'reader') cutAfterMs[name] = Math.max(cutAfterMs[name] ?? 0, await closed)
      await sleep(32_000)
      const readers = clients.filter(({ name }) => name === 'reader')
      const received = await Promise.all(readers.map((reader) => reader.readOn()))
      // What still lay in the kernel when the connection was cut, and no more.
      expect(Math.max(...received)).toBeLessThan(SIZE)
    }
    clearInterval(dripping)
    for (const client of clients) client.leave()
    const after = await measure(500)

    report(`${SLOW_CLIENTS} slow clients`, [], { arrival, calm, slow, after, cutAfterMs })
    expect(slow.p99).toBeLessThan(inTime(2 * calm.p99 + (FULL ? 100 : MARGIN_MS)))
    for (const after of Object.values(cutAfterMs)) expect(after).toBeLessThan(inTime(30_000 + arrival + MARGIN_MS))
  })
})

interface SlowClient {
  name: string
  /** sends one more byte, unless reading is what is slow */
  drip(): void
  /** how many ms it was let in */
  closed: Promise<number>
  /** Reads what is left until the connection ends. @returns how many bytes that were */
  readOn(): Promise<number>
  leave(): void
}

/** Sends the beginning of a request, and reads nothing. */
async function openSlowly(name: string, beginning: string): Promise<SlowClient> {
  const socket = connect(service.port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  const openedAt = performance.now()
  if (name !== 'reader') socket.resume()
  socket.write(beginning, 'latin1')
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(Math.round(performance.now() - openedAt))),
  )
  return {
    name,
    drip: () => void (name !== 'reader' && socket.writable && socket.write('x')),
    closed,
    async readOn() {
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
      })
      await closed
      return bytes
    },
    leave: () => void socket.destroy(),
  }
}

/** How long the others wait for their answers, over the next so many ms. */
async function measure(ms: number) {
  const from = workload.history.length
  await sleep(ms)
  return latencies(workload.history.slice(from).filter(({ outcome }) => outcome !== 'unknown'))
}
