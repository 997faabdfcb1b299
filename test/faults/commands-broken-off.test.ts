import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type End, openHeld, tenantOf } from '../support/broken-off.ts'
import { excusedFrom } from '../support/exceptions.ts'
import { newFolder } from '../support/folder.ts'

/** A command that is broken off in the middle can be said again: the same line works, or says what to do. */
const dir = newFolder()

/** These change nothing that is kept. */
const READS = ['migrate status', 'tenant list', 'openapi', 'config', 'doctor', 'plugins']
/** These are broken off elsewhere. */
const ELSEWHERE: Record<string, string> = {
  ...excusedFrom('a command that is broken off in the middle'),
  'migrate up': 'test/faults/migrations.test.ts',
  restore: 'test/faults/backup.test.ts',
  seed: 'test/api/demo-seed.test.ts',
  'files sweep': 'moves one file after the other, and begins anew each time',
  'secrets reseal': 'seals the secrets of a tenant in batches, and passes over those that have the newest key',
}
/** These are one commit each, as `admin passwd` is. */
const ONE_COMMIT = [
  ...['admin create', 'admin restore', 'admin appoint', 'announce'],
  ...['tenant create', 'tenant disable', 'tenant enable', 'tenant renew', 'tenant erase'],
]

/** Each command that writes, by its name. It waits in the middle. The second way to end it is the one that it cannot answer. */
const WRITES: Record<string, [line: (end: End) => string, ...ends: End[]]> = {
  backup: [(end) => `backup ${join(dir, `${end}.tar`)}`, 'SIGINT', 'SIGKILL'],
  'admin passwd': [(end) => `admin passwd --tenant ${tenantOf(end)}`, 'SIGTERM', 'SIGKILL'],
}

const held = await openHeld(dir)
await held.hold()

describe('a command that is broken off in the middle can be said again', () => {
  test('each one that writes is here', async () => {
    const { out } = await held.say('--help')
    const names = [...out.matchAll(/^ {2}atrium ((?:[a-z-]+ )?[a-z-]+) {2}/gm)].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.toSorted()).toEqual(
      [...READS, ...ONE_COMMIT, ...Object.keys(ELSEWHERE), ...Object.keys(WRITES)].toSorted(),
    )
  })

  test.each(Object.entries(WRITES))('atrium %s', (_, [line, ...ends]) => held.breakOff(line, ends))
})
