import { describe, expect, test } from 'vitest'
import { checkClock, checkConnections, checkDurability, judgeWrites } from '../../appliance/doctor/database.ts'
import { checkFirstTenant } from '../../appliance/doctor/first-tenant.ts'
import type { Inspection } from '../../src/data/setup/inspect.ts'
import { remedyOf } from '../../src/domains/files/upkeep/checks.ts'
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
  ])('says %s to %i ms ahead, by an answer that took %i ms', (verdict, clockAhead, roundTrip) => {
    expect(checkClock(seen({ clockAhead, roundTrip }))).toMatchObject({ check: 'clock', verdict })
  })
})

test('the doctor insists on every setting that an acknowledged write depends on', () => {
  const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

  const check = (change: object) => checkDurability(seen({ durability: { ...durability, ...change } }))

  for (const fine of [{}, { synchronous_commit: 'remote_apply' }]) expect(check(fine)).toMatchObject({ verdict: 'ok' })
  for (const name of Object.keys(durability))
    expect(check({ [name]: 'off' })).toMatchObject({ verdict: 'FAIL', what: `${name} is off` })
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

test.each([
  ['53100', 'could not extend file', 'FAIL', /the disk of the database is full .*extend/, /^make room on it/],
  ['25006', 'cannot execute CREATE TABLE', 'FAIL', /a standby, or read-only/, /^name the primary/],
  ['58030', 'could not write', 'FAIL', /every command is a 503: could not write/, /PostgreSQL log/],
])('writes that end with %s (%s) are a %s that says what to do', (code, message, verdict, what, remedy) => {
  expect(judgeWrites(Object.assign(new Error(message), { code }))).toEqual([
    { check: 'writes', verdict, what: expect.stringMatching(what), remedy: expect.stringMatching(remedy) },
  ])
})

test('a role that may not make temporary tables proves nothing about writes', () => {
  expect(judgeWrites(Object.assign(new Error('permission denied'), { code: '42501' }))).toEqual([])
})

describe('the doctor on the first tenant', () => {
  const tenant = { code: 'default', status: 'active', expiredAt: null, registration: 'closed' } as const
  test.each([
    ['ok', {}, true],
    ['ok', { registration: 'open' }, false],
    ['warn', { registration: 'open' }, true],
    ['FAIL', { status: 'disabled' }, false],
    ['FAIL', { expiredAt: '2026-01-01T00:00:00Z' }, false],
  ] as const)('says %s to %j, in production: %s', (verdict, change, production) => {
    const [finding] = checkFirstTenant({ ...tenant, ...change }, production)
    expect(finding).toMatchObject({ check: 'first tenant', verdict })
    if (verdict === 'FAIL') expect(finding!.remedy).toBe('atrium tenant enable default')
  })
})

test.each([
  ['ENOSPC', 'the disk of /srv/files is full: make room on it'],
  ['EDQUOT', 'the disk of /srv/files is full: make room on it'],
  ['EROFS', 'the disk of /srv/files is read-only: mount it for writing, or choose another folder'],
  ['ENOENT', 'make the folder, and let the user of the service write in it'],
])('files that cannot be written (%s): %s', (code, remedy) => {
  const settings = { storage: 'local', root: '/srv/files', maxSize: 1 } as const
  expect(remedyOf(settings, Object.assign(new Error(code), { code }), '/srv/files')).toBe(remedy)
})
