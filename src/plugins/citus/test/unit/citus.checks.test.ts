import { expect, test } from 'vitest'
import { judgeNode } from '../../citus.checks.ts'
import type { Asked, NodeFacts } from '../../setup/nodes.ts'

const FACTS: NodeFacts = {
  ...{ propagate: 'local', timezone: 'UTC', preparedTransactions: 100, connections: 100 },
  ...{ walLevel: 'logical', decodes: true, citus: '14.0-1', roleSignsIn: true },
}
const node = (facts: Partial<NodeFacts>): Asked => ({
  ...{ id: 1, host: 'worker-1', port: 5432, isCoordinator: false },
  ...{ isActive: true, hasMetadata: true, holdsShards: true },
  facts: { ...FACTS, ...facts },
})
const coordinator: Asked = { ...node({}), isCoordinator: true }
const judged = (facts: Partial<NodeFacts>) => judgeNode(node(facts), [coordinator, node(facts)], 'atrium_service')

test('a node that has all that the service needs is fine', () => {
  expect(judged({})).toMatchObject([{ verdict: 'ok' }])
})

test.each<[Partial<NodeFacts>, string, RegExp]>([
  [{ propagate: 'none' }, 'FAIL', /citus\.propagate_set_commands is none/],
  [{ timezone: 'Europe/Berlin' }, 'FAIL', /timezone is Europe\/Berlin/],
  [{ preparedTransactions: 0 }, 'FAIL', /max_prepared_transactions is 0/],
  [{ roleSignsIn: false }, 'FAIL', /atrium_service may not sign in/],
  [{ citus: '13.2-1' }, 'FAIL', /its Citus is 13\.2-1, the coordinator's 14\.0-1/],
  [{ walLevel: 'replica' }, 'warn', /wal_level is replica/],
  [{ decodes: false }, 'warn', /output_plugin_libraries does not name citus/],
])('one with %o is reported', (facts, verdict, what) => {
  expect(judged(facts)).toMatchObject([{ verdict, what: expect.stringMatching(what) }])
})
