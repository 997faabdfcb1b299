import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { cloneDatabase, type Inspector, openInspector } from '../support/database.ts'
import { formOf, pngOf } from '../support/form.ts'
import { checkDatabase, checkHistory, expectNoViolation, report, untilDelivered } from '../support/invariants.ts'
import { type ServiceProcess, startProcess } from '../support/service.ts'
import { givenFolder, headOf, type Line, openLine, uploadTo } from '../support/uploads.ts'
import { foundCompanies, latencies, startWorkload, tally, type Workload } from '../support/workload.ts'

/** SLOW_CLIENTS=1000 for the full run, which waits until the last of them has been cut off. */
const SLOW_CLIENTS = Number(process.env.SLOW_CLIENTS ?? 80)
const FULL = process.env.SLOW_CLIENTS !== undefined
const STANDSTILL = fileURLToPath(new URL('../support/standstill.ts', import.meta.url))
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
    expect(madeUpAfter).toBeLessThan(1000 + MARGIN_MS)
  })
})

describe(`${SLOW_CLIENTS} clients that take their time`, () => {
  test('do not slow the others down, and are cut off', { timeout: 120_000 }, async () => {
    const companies = await givenLoad(8, { FILE_STORAGE_ROOT: folder.root })
    const { token } = companies[0]!.people[0]!
    const form = formOf([{ filename: 'a.png', content: pngOf(10_000_000) }])
    const file = (await uploadTo(service.port, token, form))!.data.url
    const calm = await measure(FULL ? 5000 : 1500)

    const json = `POST /api/v1/approvals HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{`
    const kinds: Record<string, (line: Line) => void> = {
      headers: ({ socket }) => void socket.write('GET /api/v1/projects HTTP/1.1\r\nhost: x\r\nx-slow: '),
      body: ({ socket }) => void socket.write(json),
      form: ({ socket }) => {
        socket.write(headOf(token, form.headers, form.payload.length))
        socket.write(form.payload.subarray(0, 3000))
      },
      reader: ({ socket }) => {
        socket.pause().write(`GET ${file} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`)
      },
    }
    const names = Object.keys(kinds)
    const cut: Record<string, number> = {}
    const lines: Line[] = []
    for (let at = 0; at < SLOW_CLIENTS; at++) {
      const name = names[at % names.length]!
      const line = await openLine(service.port)
      const openedAt = performance.now()
      void line.closed.then(() => {
        cut[name] = Math.max(cut[name] ?? 0, Math.round(performance.now() - openedAt))
      })
      kinds[name]!(line)
      lines.push(line)
    }
    const dripping = setInterval(
      () => {
        for (const [at, { socket }] of lines.entries())
          if (names[at % names.length] !== 'reader' && socket.writable) socket.write('x')
      },
      FULL ? 10_000 : 500,
    )
    const slow = await measure(FULL ? 5000 : 1500)
    if (FULL) await Promise.all(lines.map(({ closed }) => closed))
    clearInterval(dripping)
    for (const { socket } of lines) socket.destroy()
    const after = await measure(500)

    report(`${SLOW_CLIENTS} slow clients`, [], { calm, slow, after, cutAfterMs: cut })
    expect(slow.p99).toBeLessThan(2 * calm.p99 + (FULL ? 50 : MARGIN_MS))
    if (FULL) for (const name of names) expect([name, cut[name]! < 32_000]).toEqual([name, true])
  })
})

/** How long the others wait for their answers, over the next so many ms. */
async function measure(ms: number) {
  const from = workload.history.length
  await sleep(ms)
  return latencies(workload.history.slice(from).filter(({ outcome }) => outcome !== 'unknown'))
}
