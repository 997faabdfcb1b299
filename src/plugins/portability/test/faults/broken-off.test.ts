import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openHeld, tenantOf } from '#test/broken-off.ts'
import { newFolder } from '#test/folder.ts'

const dir = newFolder()
const held = await openHeld(dir)
await held.works(`tenant export ${tenantOf('SIGINT')} ${join(dir, 'whole.tar')}`)
await held.hold()

/** Only one export of a tenant, and one import into a code, runs at a time. */
const isAlone = true

describe('a command that is broken off in the middle can be said again', () => {
  test('atrium tenant export', () =>
    held.breakOff((end) => `tenant export ${tenantOf(end)} ${join(dir, `of-${end}.tar`)}`, ['SIGINT', 'SIGKILL'], {
      isAlone,
    }))

  test('atrium tenant import, which leaves no tenant that was not filled', async () => {
    const line = (end: string) => `tenant import ${join(dir, 'whole.tar')} --code brought-${end.toLowerCase()}`
    await held.breakOff(line, ['SIGTERM', 'SIGKILL'], { isAlone })
    expect(await held.look.count(`select count(*) from tenants where status = 'closing'`)).toBe(0)
  })
})
