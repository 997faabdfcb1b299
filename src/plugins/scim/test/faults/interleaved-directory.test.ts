import { afterAll, expect, test } from 'vitest'
import { interleave } from '#test/interleave.ts'
import { expectNoCircle } from '#test/races.ts'
import type { Person } from '#test/world.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'

/** What a directory changes by two requests at the same moment, met on purpose, as in test/faults/interleavings.test.ts. */
const { world, tenant, boss } = await openWorldWithTenant()
afterAll(() => expectNoCircle(world))

test('what a directory changes by two requests at the same moment, each of which names a part, is changed in both', async () => {
  const [ann, ben] = [await world.givenUser(tenant), await world.givenUser(tenant)]
  const role = (await world.as(boss).post('/roles', { name: 'Group', code: 'group' })).expect(201)
  const patch = (id: string, path: string, value: unknown) => async () => {
    const { statusCode } = await world.app.inject({
      ...{ method: 'PATCH', url: `/scim/v2/${id}`, headers: { authorization: `Bearer ${boss.token}` } },
      payload: { Operations: [{ op: 'add', path, value }] },
    })
    return statusCode
  }
  const member = ({ id }: Person) => patch(`Groups/${role.id}`, 'members', [{ value: String(id) }])
  const user = `Users/${ann.id}`

  for (const [one, other] of [
    [patch(user, 'displayName', 'Somebody Else'), patch(user, 'externalId', 'an-id')],
    [member(ann), member(ben)],
  ] as const)
    expect(await interleave(world, one, other)).toMatchObject({ first: 200, second: 200 })

  const read = async ({ id }: Person) => (await world.as(boss).get(`/users/${id}`)).expect(200)
  const seen = await Promise.all([ann, ben].map(read))
  expect(seen[0]).toMatchObject({ nickname: 'Somebody Else' })
  for (const { roles } of seen) expect(roles).toContain(role.code)
})
