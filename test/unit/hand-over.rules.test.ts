import '../support/domains.ts'
import { expect, test } from 'vitest'
import { everything } from '../../src/domains/roles/authority.rules.ts'
import { assertMayHandOver, type Party } from '../../src/domains/users/hand-over/hand-over.rules.ts'
import { refusalOf } from '../support/refusal.ts'

test('a hand-over passes on ten thousand of a kind and no more', () => {
  const roles = [{ id: 1, code: 'user', permissions: ['project:list'] }]
  const [from, to] = [1, 2].map((id): Party => ({ id, roles, status: 'active' })) as [Party, Party]
  const of = (count: number) => () => {
    const held = Array.from({ length: count }, (_, id) => ({ id, name: 'x' }))
    assertMayHandOver(from, to, [{ kind: { kind: 'tasks', needs: 'project:list' }, held }], everything)
  }
  expect(of(10_000)).not.toThrow()
  expect(refusalOf(of(10_001))).toMatchObject({ type: 'TOO_MUCH_AT_ONCE', status: 409 })
})
