import { expect, test } from 'vitest'
import { openAudited } from '../support/audited-service.ts'
import { expectNoViolation } from '../support/invariants.ts'

/** AUDIT_REQUESTS=10000 for the full run. */
const REQUESTS = Number(process.env.AUDIT_REQUESTS ?? 300)
const audited = await openAudited()

test(`of ${REQUESTS} mixed requests each has the rows that it must have, and nothing of what it carried is kept`, async () => {
  const { workload, callers, calls } = audited.startAll(REQUESTS)
  await Promise.all([workload.done, callers.done])
  await audited.end('SIGTERM')

  expectNoViolation(`audit of ${calls().length} requests`, await audited.hold(calls()))
  expect({ foreign: workload.foreign, malformed: workload.malformed }).toEqual({ foreign: [], malformed: [] })
  const unanswered = [
    ...workload.history.filter(({ status }) => status === undefined),
    ...callers.calls.filter(({ answeredAt }) => answeredAt === Number.POSITIVE_INFINITY),
  ]
  expect(unanswered).toEqual([])
})

test('no canary, no password and no token is in the audit or in the log', () => audited.expectNothingKept(REQUESTS))
