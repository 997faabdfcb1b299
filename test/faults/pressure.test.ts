import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { formOf, pngOf } from '../support/form.ts'
import { report } from '../support/invariants.ts'
import { openLoad } from '../support/load.ts'
import { expectNothingLost } from '../support/nothing-lost.ts'
import { inTime, until } from '../support/patience.ts'
import { headOf, uploadTo } from '../support/uploads.ts'
import { type Entry, latencies } from '../support/workload.ts'

/** SLOW_CLIENTS=1000 for the full run, which waits until the last of them has been cut off; readers are in test/api/floods.test.ts. */
const SLOW_CLIENTS = Number(process.env.SLOW_CLIENTS ?? 60)
const FULL = process.env.SLOW_CLIENTS !== undefined
const CLIENTS = 8
/** The bytes of the file that is read slowly: more than the kernel buffers for a client. */
const SIZE = 10_000_000
/** An address and not a path: in NODE_OPTIONS a space would part it. */
const STANDSTILL = new URL('../support/standstill.ts', import.meta.url).href
/** What a machine with two cores may add to any figure. */
const MARGIN_MS = 500

const folder = newFolder()
const standsStill = join(folder, 'stands still')
const env = { FILE_STORAGE_ROOT: folder, NODE_OPTIONS: `--import=${STANDSTILL}`, STANDS_STILL: standsStill }
const load = await openLoad({ clients: CLIENTS, reads: 0.5, restMs: 5 }, { env })

test(`${SLOW_CLIENTS} clients that take their time do not slow the others down${FULL ? ', and are cut off' : ''}`, async () => {
  const { service, companies } = load
  const { token } = companies[0]!.people[0]!
  const form = formOf([{ filename: 'a.png', content: pngOf(SIZE) }])
  const { data } = await until(async () => {
    const sent = await uploadTo(service.port, token, form)
    return sent?.status === 201 && sent
  })
  const calm = await measure()

  const ask = (text: string) => `${text} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`
  const json = `content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`
  const beginnings = {
    headers: `${ask('GET /api/v1/projects')}x-slow: `,
    body: `${ask('POST /api/v1/approvals')}${json}`,
    form: `${headOf(token, form.headers, form.payload.length)}${form.payload.toString('latin1', 0, 3000)}`,
    reader: `${ask(`GET ${data.url}`)}\r\n`,
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
  if (FULL) await sleep(4000)
  const slow = await measure()
  const cutAfterMs: Record<string, number> = {}
  if (FULL)
    for (const { name, closed } of clients)
      if (name !== 'reader') cutAfterMs[name] = Math.max(cutAfterMs[name] ?? 0, await closed)
  clearInterval(dripping)
  for (const client of clients) client.leave()

  report(`${SLOW_CLIENTS} slow clients`, [], { arrival, calm, slow, cutAfterMs })
  expect(slow.p99).toBeLessThan(inTime(2 * calm.p99 + (FULL ? 100 : MARGIN_MS)))
  for (const after of Object.values(cutAfterMs)) expect(after).toBeLessThan(inTime(30_000 + arrival + MARGIN_MS))
})

test('an event loop that stands still leaves nobody without an answer', async () => {
  const { look, service, workload } = load
  const { history } = workload
  const isPending = ({ ms }: Entry) => ms === 0

  process.kill(service.pid, 'SIGUSR2')
  const probing = service.remote.probe('/livez')
  await until(() => existsSync(standsStill) && history.filter(isPending).length >= CLIENTS)
  await sleep(1000)
  const heldUp = history.filter(isPending)
  const goesOnAt = performance.now()
  rmSync(standsStill)
  await probing
  await until(() => !heldUp.some(isPending))
  const madeUpAfter = Math.max(...heldUp.map(({ at, ms }) => at + ms - goesOnAt))
  await expectNothingLost('a standstill', look, workload, { madeUpAfterMs: Math.round(madeUpAfter) })
  // Each client has one request in hand; one may have had its answer as the standstill began, and asked again.
  expect(heldUp.length).toBeGreaterThanOrEqual(CLIENTS)
  expect(heldUp.filter(({ status }) => status === undefined)).toEqual([])
  expect(madeUpAfter).toBeLessThan(inTime(1000 + MARGIN_MS))
})

interface SlowClient {
  name: string
  /** sends one more byte, unless reading is what is slow */
  drip(): void
  /** how many ms it was let in */
  closed: Promise<number>
  leave(): void
}

/** Sends the beginning of a request, and reads nothing. */
async function openSlowly(name: string, beginning: string): Promise<SlowClient> {
  const socket = connect(load.service.port, '127.0.0.1').on('error', () => {})
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
    leave: () => void socket.destroy(),
  }
}

/** How long the others wait for their next answers. */
async function measure() {
  const { workload } = load
  const from = workload.history.length
  await workload.served(5 * CLIENTS)
  if (FULL) await sleep(5000)
  return latencies(workload.history.slice(from).filter(({ outcome }) => outcome !== 'unknown'))
}
