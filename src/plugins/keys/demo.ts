import { list } from '#atrium'
import { listRolesByCode } from '#atrium/roles'
import type { Part } from '../../../demo/parts.ts'
import { createAccount, issueKey } from './keys.actions.ts'

const listKeys = list((from, _: object) => from('apiKeys').select('apiKeys.name'))

const part: Part<{ keys: Set<string> }> = {
  ways: {
    'make service account': {
      about: ({ name }) => `system ${name}`,
      left: ({ name }, { users }) => users.get(name),
      async act(tx, { name }) {
        // The role of the administrator, which the key narrows.
        const [role] = await listRolesByCode(tx, { code: tx.actor.roles[0]! })
        return createAccount(tx, { name, roleIds: [role!.id] } as never)
      },
    },
    'make key': {
      left: ({ name }, { keys }) => keys.has(name),
      async act(tx, { account, name, permissions }, { the, office }) {
        const { key } = await issueKey(tx, the(`system ${account}`).id, { name, permissions })
        office.show(`The key of ${account}`, key)
      },
    },
  },
  async findMade(scope) {
    return { keys: new Set((await listKeys(scope, {})).map(({ name }) => name)) }
  },
}
export default part
