import { bearing } from '../../../../tools/tour/cast.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** A key of another system, from its making to its end. */
const part: Part = {
  shows: 'The key is revoked,',
  async tell({ chapter, tell, refused, visitor, run }, { neighbour }) {
    chapter('A key for another system')
    const roles = await neighbour.listRoles()
    const role = roles.items.find(({ code }) => code === 'tenant-admin')!
    const directory = { name: `directory.${run}`, roleIds: [role.id] }
    const make = () => neighbour.createServiceAccount({ body: directory })
    const service = await tell('A service account cannot sign in.', make, 201, { name: directory.name })
    const draft = { name: 'Reader', permissions: ['user:list'] }
    const makeKey = () => neighbour.createKey({ id: service.id, body: draft })
    const once = 'Its key is shown once. This one is narrowed to what it is for.'
    const { id: keyId, key } = await tell(once, makeKey, 201, ({ prefix }) => `${prefix}…`)
    const machine = visitor()
    const people = () => machine.listUsers({}, bearing(key))
    await tell('It works as a token does.', people, 200, ({ total }) => `people: ${total}`)
    const readRoles = () => machine.listRoles({}, bearing(key))
    await refused('What it is not for, it cannot do.', readRoles, [403, 'PERMISSION_DENIED'])
    const revoke = () => neighbour.revokeKey({ id: service.id, keyId })
    await tell('The key is revoked,', revoke, 200, () => 'done')
    await refused('… and opens nothing any more.', people, [401, 'UNAUTHENTICATED'])
  },
}
export default part
