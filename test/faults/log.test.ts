import { closeSync, openSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../appliance/embedded/postmaster.ts'
import { cloneDatabase } from '../support/database.ts'
import { hasMetrics, startProcess } from '../support/service.ts'

/** They make the lines of the log long. */
const LONG = { 'x-request-id': 'x'.repeat(64), traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }

describe.skipIf(!hasMetrics)('a service answers, and stops on request, although its log', () => {
  test('is read by nobody', () => expectToAnswer('unread'))

  test.skipIf(process.platform !== 'linux')('lies on a full disk', async () => {
    const full = openSync('/dev/full', 'w')
    await expectToAnswer(full)
    closeSync(full)
  })
})

async function expectToAnswer(stdout: 'unread' | number) {
  const metrics = await freePort()
  const env = { LOG_LEVEL: 'info', METRICS_PORT: String(metrics) }
  const service = await startProcess({ databaseUrl: await cloneDatabase(), env, stdout })
  const { remote } = service
  const statuses = new Set<number>()
  const askOften = async () => {
    const answers = await Promise.all(Array.from({ length: 512 }, () => remote.as().get('/auth/me', LONG)))
    for (const { status } of answers) statuses.add(status)
  }

  const hasDropped = async () => {
    const told = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()
    return Number(/^log_dropped_total (\d+)/m.exec(told)?.[1]) > 0
  }
  // Until more lines are written than a pipe and all that may wait in the process hold, however long it takes.
  while (!(await hasDropped())) await askOften()
  await askOften()

  expect([...statuses]).toEqual([401])
  expect(await service.end('SIGTERM')).toMatchObject({ code: 0, signal: null })
}
