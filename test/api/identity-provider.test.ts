import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CALLBACK, openBrowser } from '../support/browser.ts'
import { openProvider, type RealProvider } from '../support/provider.ts'
import { codeIn, startAddress } from '../support/provider-steps.ts'
import { openWorld, type Tenant, type World } from '../support/world.ts'

const PATH = '/tenant/identity-provider'
let world: World
let tenant: Tenant
let provider: RealProvider
beforeAll(async () => {
  ;[world, provider] = await Promise.all([openWorld(), openProvider(CALLBACK)])
})
afterAll(() => Promise.all([world?.close(), provider?.close()]))
beforeEach(async () => {
  tenant = await world.givenTenant()
  provider.account = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' }
})

const boss = () => world.as(tenant.administrator)
const save = (more: object = {}) => boss().put(PATH, { ...provider.client, createUsers: true, ...more })
const arrive = (browser = openBrowser(world.app)) => browser.follow(startAddress(tenant.code))
const exchange = (code: string) => world.anyone.post('/auth/oidc/exchange', { code })
/** Signs somebody in at the provider. @returns their client */
async function signIn() {
  const { accessToken } = (await exchange(codeIn(await arrive()))).expect(200)
  const send = (path: string) => world.anyone.get(path, { authorization: `Bearer ${accessToken}` })
  return { accessToken, get: send, me: async () => (await send('/auth/me')).expect(200) }
}

describe('the provider of a tenant', () => {
  test('is named, read without its secret, changed and taken away', async () => {
    ;(await boss().get(PATH)).expect(404, 'NOT_FOUND')
    const saved = (await save({ groupsClaim: 'groups', groupRoles: { staff: 'user' } })).expect(200)
    expect(saved).toEqual({
      ...{ issuer: provider.issuer, clientId: 'atrium', groupsClaim: 'groups', groupRoles: { staff: 'user' } },
      ...{ createUsers: true, passwordSignIn: 'allowed', version: 1 },
      redirectUri: expect.stringMatching(/\/api\/v1\/auth\/oidc\/callback$/),
    })
    expect((await boss().get(PATH)).expect(200)).toEqual(saved)
    const changed = (await boss().put(PATH, { createUsers: false, version: 1 })).expect(200)
    expect(changed).toEqual({ ...saved, createUsers: false, version: 2 })
    ;(await boss().put(PATH, { createUsers: true, version: 1 })).expect(409, 'VERSION_CONFLICT')
    ;(await boss().put(PATH, { createUsers: true }, { 'if-match': '"1-1"' })).expect(412, 'PRECONDITION_FAILED')
    ;(await boss().delete(PATH)).expect(200)
    ;(await boss().get(PATH)).expect(404, 'NOT_FOUND')
    ;(await boss().delete(PATH)).expect(404, 'NOT_FOUND')
  })
})

describe('a person whom only the provider knows', () => {
  test('signs in, becomes a person, and is the same one the next time', async () => {
    ;(await save()).expect(200)
    const first = await (await signIn()).me()
    expect(first).toMatchObject({
      username: 'ada',
      nickname: 'Ada Lovelace',
      email: 'ada@example.com',
      roles: ['user'],
    })
    provider.account = { sub: 'ada', email: 'somebody@else.example', name: 'Another Name' }
    expect((await (await signIn()).me()).id).toBe(first.id)
  })
})
