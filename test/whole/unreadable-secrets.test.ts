import { beforeAll, describe, expect, test } from 'vitest'
import { sealWith } from '../../src/util/seal.ts'
import { TEST_SECRET, testConfig } from '../support/config.ts'
import { until } from '../support/patience.ts'
import { givenCode, nameProvider } from '../support/provider-steps.ts'
import { openReceiver } from '../support/receiver.ts'
import { givenSecrets, SEALED, sealAgain } from '../support/sealed.ts'
import { openWorld } from '../support/world.ts'

/** The key of all stored secrets was changed, and the old one was not kept. */
const sealer = sealWith(testConfig().sealingSecrets)
const lost = sealWith(['a key that sealed all secrets and is in no configuration'])
const [world, receiver] = await Promise.all([openWorld({ env: { JWT_SECRET: TEST_SECRET } }), openReceiver()])
const tenant = await world.givenTenant()
const uses = await givenSecrets({ world, tenant, sealer, receiver })
beforeAll(async () => {
  expect(await sealAgain({ world, tenant, sealer }, lost)).toEqual(SEALED.toSorted())
})
const useAll = async () =>
  Object.fromEntries(await Promise.all(SEALED.map(async (column) => [column, await uses[column]!()])))
const finding = async () =>
  (await world.as(world.admin).read('/system/findings')).find(({ name }: any) => name === 'secrets')

describe('a secret that no configured key opens', () => {
  test('is an outage of what needs it, which says so, and of nothing else', async () => {
    expect(await useAll()).toEqual({
      'identity_providers.client_secret': 'error=PROVIDER_UNAVAILABLE',
      'mails.sealed': expect.stringMatching(/^No configured key opens mails \d+\//),
      'second_factors.secret': '503 SECRET_UNREADABLE 300',
      'webhooks.sealed': expect.stringMatching(/^No configured key opens webhooks \d+\/\d+$/),
    })
    await world.as(tenant.administrator).read('/auth/me')
    const other = await world.givenTenant()
    await nameProvider(world.as(other.administrator))
    await givenCode(world.app, other.code)
  })

  test('is found by the doctor, which says where and what helps', async () => {
    expect(await finding()).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^no configured key decrypts (1 of [a-z_.]+(, )?){4}$/),
      cure: expect.stringContaining('ENCRYPTION_KEY'),
    })
  })

  test('keeps nobody from replacing it: a webhook gets its address and a new secret, a tenant goes back to passwords', async () => {
    const boss = world.as(tenant.administrator)
    ;(await boss.put('/tenant/identity-provider', { passwordSignIn: 'allowed' })).expect(200)
    const [webhook] = await boss.read('/webhooks')
    ;(await boss.post(`/webhooks/${webhook.id}/rotate-secret`)).expect(409, 'ADDRESS_UNKNOWN')
    ;(await boss.put(`/webhooks/${webhook.id}`, { url: `${receiver.url}/again`, version: 0 })).expect(200)
    ;(await boss.post(`/webhooks/${webhook.id}/rotate-secret`)).expect(200)
    expect(await uses['webhooks.sealed']!()).toBe('delivered')
  })

  test('works again once its key is back', async () => {
    await world.look.rows(`update webhooks set sealed = $1`, [
      lost.seal(`{"current":"whsec_c2VjcmV0","url":"${receiver.url}/again"}`, await placeOfWebhook()),
    ])
    expect(await sealAgain({ world, tenant, sealer: lost }, sealer)).toHaveLength(SEALED.length)
    // An attempt that had begun with the old key may still fail.
    await until(async () => (await uses['mails.sealed']!()) === 'sent')
    const ends = await until(async () => {
      const all = await useAll()
      // A provider that takes too long is away too.
      return all['identity_providers.client_secret'] !== 'error=PROVIDER_UNAVAILABLE' && all
    })
    expect(ends).toEqual({
      'identity_providers.client_secret': 'code',
      'mails.sealed': 'sent',
      'second_factors.secret': '401 INVALID_CREDENTIALS',
      'webhooks.sealed': 'delivered',
    })
    expect(await finding()).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^[34] are stored/),
      cure: null,
    })
  })
})

async function placeOfWebhook(): Promise<string> {
  const [{ id }] = (await world.look.rows('select id from webhooks')) as [{ id: string }]
  return `webhooks ${tenant.id}/${id}`
}
