import { afterAll, expect, test } from 'vitest'
import { meet } from '#test/interleave.ts'
import { expectNoCircle } from '#test/races.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/** Settings that two people change at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const { world, boss } = await openWorldWithTenant()
afterAll(() => expectNoCircle(world))

test('fields of settings that two people change concurrently are both changed', async () => {
  const [one, two] = [{ locale: 'zh-CN' }, { sessionDays: 3 }]
  const change = (fields: object) => () => world.as(boss).put('/tenant/settings', fields)
  const { second } = await meet(world, [change(one), 200], [change(two), 200])

  expect(second).toMatchObject({ ...one, ...two })
})
