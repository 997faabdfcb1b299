import { inMemory } from '../../../../client/index.ts'
import { expect } from '../../../../tools/tour/guide.ts'
import type { Part } from '../../../../tools/tour/parts.ts'

/** A directory makes, finds and disables a person. */
const part: Part = {
  shows: 'disables them when they leave',
  async tell({ chapter, tell, visit, run, password, clientOf }, { neighbour, tenant }) {
    chapter('A directory')
    const roles = await neighbour.listRoles()
    const { id: roleId } = roles.items.find(({ code }) => code === 'tenant-admin')!
    const session = inMemory()
    const directory = clientOf({ session, tenant })
    const username = `people.${run}`
    await neighbour.createUser({ body: { username, nickname: 'Directory', password, roleIds: [roleId] } })
    const signIn = () => directory.signIn({ username, password })
    await tell('The directory of the company signs in.', signIn, 200, { username })
    const { accessToken } = session.load()!
    const scim =
      (path: string, method = 'GET', body?: object) =>
      () =>
        visit(`/scim/v2/${path}`, {
          method,
          headers: { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/scim+json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
    const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User']
    const jo = { schemas, userName: `jo.${run}`, displayName: 'Jo', active: true }
    const made = await tell('It makes a person, over SCIM,', scim('Users', 'POST', jo), 201, () => jo.userName)
    const { id: personId } = (await made.json()) as { id: string }
    const find = scim(`Users?filter=${encodeURIComponent(`userName eq "${jo.userName}"`)}`)
    await tell('… finds them by their name,', find, 200, async (answer) => {
      const { totalResults } = (await answer.json()) as { totalResults: number }
      expect(totalResults === 1, 'one person')
      return 'one person'
    })
    const leave = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'Replace', path: 'active', value: false }],
    }
    const disable = scim(`Users/${personId}`, 'PATCH', leave)
    await tell('… and disables them when they leave.', disable, 200, async (answer) => {
      const { active } = (await answer.json()) as { active: boolean }
      expect(!active, 'a person who cannot sign in')
      return 'active false'
    })
  },
}
export default part
