import { afterAll, expect, test } from 'vitest'
import { meet } from '#test/interleave.ts'
import { expectNoCircle } from '#test/races.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/** Accounts that two people change at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const { world, boss } = await openWorldWithTenant()
afterAll(() => expectNoCircle(world))
const make = (name: string) => () => world.as(boss).post('/service-accounts', { name, roleIds: [] })

test('fields of an account that two people change concurrently are both changed', async () => {
  const { id } = (await make('S')()).expect(201)
  const [one, two] = [{ status: 'disabled' }, { name: 'two' }]
  const change = (fields: object) => () => world.as(boss).put(`/service-accounts/${id}`, fields)
  const { second } = await meet(world, [change(one), 200], [change(two), 200])

  expect(second).toMatchObject({ ...one, ...two })
})

test('two service accounts of one name come about, at the same moment too', async () => {
  const { first, second } = await meet(world, [make('Twin'), 201], [make('Twin'), 201])

  expect([first.name, second.name]).toEqual(['Twin', 'Twin'])
})
