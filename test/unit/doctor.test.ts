import { describe, expect, test } from 'vitest'
import { checkClock, checkConnections, checkDurability } from '../../appliance/doctor/database.ts'
import type { Inspection } from '../../src/data/setup/inspect.ts'
import { testConfig } from '../support/config.ts'

const seen = (part: Partial<Inspection>) => part as Inspection

describe("the doctor on the database's clock", () => {
  test.each([
    ['ok', 0, 1],
    ['ok', 999, 1],
    ['ok', -999, 1],
    ['ok', 1400, 1000],
    ['FAIL', 1001, 1],
    ['FAIL', -1001, 1],
    ['FAIL', 3_600_000, 200],
  ])('says %s to %i ms ahead, told by an answer that took %i ms', (verdict, clockAhead, roundTrip) => {
    expect(checkClock(seen({ clockAhead, roundTrip }))).toMatchObject({ check: 'clock', verdict })
  })
})

test('the doctor insists on every setting that an acknowledged write depends on', () => {
  const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

  expect(checkDurability(seen({ durability }))).toMatchObject({ verdict: 'ok' })
  expect(checkDurability(seen({ durability: { ...durability, synchronous_commit: 'remote_apply' } }))).toMatchObject({
    verdict: 'ok',
  })
  for (const name of Object.keys(durability))
    expect(checkDurability(seen({ durability: { ...durability, [name]: 'off' } }))).toMatchObject({
      verdict: 'FAIL',
      what: `${name} is off`,
    })
})

test.each([
  [31, 0, 'FAIL'],
  [32, 0, 'warn'],
  [57, 0, 'warn'],
  [62, 0, 'ok'],
  [100, 71, 'FAIL'],
])('of %i connections, %i held by others, the doctor says %s for 30 connections a process', (most, others, verdict) => {
  const config = testConfig({ DATABASE_LINES: '4', DATABASE_WRITE_LINES: '8', DATABASE_HELD_LINES: '16' })
  expect(checkConnections(config, seen({ connections: { most, others, ours: 0 } }))).toMatchObject({ verdict })
})
