import { expect } from 'vitest'
import type { Inspector } from './database.ts'
import { checkDatabase, checkHistory, expectNoViolation, untilDelivered } from './invariants.ts'
import { latencies, statusesOf, tally, type Workload } from './workload.ts'

/**
 * Stops a workload, waits for its news, and holds the database against what its clients were answered: nothing is lost or
 * doubled, nobody was shown another tenant's, and each failure has the form of the contract.
 * @param except invariants that the test does not keep to @param figures to be reported beside those of the workload
 */
export async function expectNothingLost(
  title: string,
  look: Inspector,
  workload: Workload,
  { except = [], ...figures }: { except?: string[] } & Record<string, unknown> = {},
): Promise<void> {
  await workload.stop()
  await untilDelivered(look)
  const { history, foreign, malformed } = workload
  expectNoViolation(title, [...(await checkHistory(look, history)), ...(await checkDatabase(look, except))], {
    ...{ outcomes: tally(history), statuses: statusesOf(history), latencyMs: latencies(history) },
    ...figures,
  })
  expect({ foreign, malformed }).toEqual({ foreign: [], malformed: [] })
}
