import { expect } from 'vitest'
import { isHere } from '#test/plugins.ts'
import { openWorldWithTenant } from '#test/world-with-tenant.ts'
import { grantsOf } from '../../../kernel/access.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export const patch = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
})

/** A refusal in SCIM's form. */
export const refused = (status: number, more: { scimType?: string; detail?: string } = {}) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.any(String),
    ...more,
  },
})

/** A tenant whose people are kept by a directory, which has a key of an administrator. */
export async function openDirectory() {
  const { world, tenant, boss } = await openWorldWithTenant()
  const manager = world.as(boss)
  let counter = 0
  const unique = (word: string) => `${word}-${++counter}`

  const roleId = (code: string) => world.roleId(tenant, code)
  /** Of a service account; without the plug-in that has those, a directory signs in as a person. */
  async function givenKey(role: string): Promise<string> {
    if (!isHere('keys')) return (await world.givenUser(tenant, await world.givenRole(tenant, grantsOf(role)))).token
    const draft = { name: unique('Directory'), roleIds: [await roleId(role)] }
    const { id } = (await manager.post('/service-accounts', draft)).expect(201)
    return (await manager.post(`/service-accounts/${id}/keys`, { name: 'SCIM' })).expect(201).key
  }
  const key = await givenKey('tenant-admin')

  async function scim(method: string, path: string, body?: object | string, token = key) {
    const answer = await world.app.inject({
      method: method as 'GET',
      url: `/scim/v2${path}`,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    if (answer.statusCode !== 204) expect(answer.headers['content-type']).toBe('application/scim+json; charset=utf-8')
    return { status: answer.statusCode, headers: answer.headers, body: answer.body ? answer.json() : undefined }
  }
  const find = (kind: 'Users' | 'Groups', filter: string) =>
    scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)
  /** @returns the ids of what is found */
  async function idsOf(kind: 'Users' | 'Groups', filter: string): Promise<string[]> {
    const { status, body } = await find(kind, filter)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.Resources.map(({ id }: { id: string }) => id)
  }
  async function given(kind: 'Users' | 'Groups', more: object = {}) {
    const name = kind === 'Users' ? { userName: unique('provisioned') } : { displayName: unique('Group') }
    const made = await scim('POST', `/${kind}`, { schemas: [kind === 'Users' ? USER : GROUP], ...name, ...more })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }
  const read = async (kind: 'Users' | 'Groups', id: string) => (await scim('GET', `/${kind}/${id}`)).body
  const membersOf = async (id: string): Promise<string[]> =>
    (await read('Groups', id)).members.map(({ value }: { value: string }) => value)
  const login = (username: string, password: string) =>
    world.anyone.post('/auth/login', { username, password, tenantCode: tenant.code })

  return {
    ...{ world, tenant, boss, manager, unique, roleId, givenKey, key },
    ...{ scim, find, idsOf, given, read, membersOf, login },
  }
}
