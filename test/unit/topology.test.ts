import { describe, expect, test } from 'vitest'
import { pooled as behindPooler, oneServer } from '../../src/data/topology/one-server.ts'
import type { Limits } from '../../src/data/topology/topology.ts'

const limits: Limits = {
  ...{ reads: { statement_timeout: 1 }, changes: { lock_timeout: 2 } },
  ...{ searches: { statement_timeout: 3 }, transactions: { statement_timeout: 4 } },
}
const direct = oneServer(limits)
const pooled = behindPooler(limits)
const entrances = (topology: typeof direct) =>
  (['shared', 'leased', 'search'] as const).map((road) => topology.entrance(road).text)

describe('a database without a pooler', () => {
  test('keeps the limits of each use in the session, and enters a tenant with nothing else', () => {
    expect(direct.session('reads')).toEqual({ statement_timeout: 1 })
    expect(direct.session('changes')).toEqual({ lock_timeout: 2 })
    expect(new Set(entrances(direct))).toEqual(
      new Set([`select set_config('role', $1, true), set_config('app.tenant_id', $2, true)`]),
    )
  })
})

describe('a database behind a pooler', () => {
  test('keeps nothing in the session, and sets the limits of its road in each flight', () => {
    expect(pooled.session('reads')).toEqual({})
    const own = `select set_config('role', $1, true), set_config('app.tenant_id', $2, true), `
    expect(entrances(pooled)).toEqual([
      `${own}set_config('lock_timeout', '2', true)`,
      `${own}set_config('statement_timeout', '4', true)`,
      `${own}set_config('statement_timeout', '3', true)`,
    ])
  })
})
