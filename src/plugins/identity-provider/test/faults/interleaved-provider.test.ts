import { expect, test } from 'vitest'
import { waitsForSecret } from '#test/interleave.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()

test('a change of the sealing key waits for a change of the secret', async () => {
  const insert = `insert into identity_providers (tenant_id, issuer, client_id, client_secret, create_users, password_sign_in, named_by_administrator) values ($1, 'https://example.com', 'x', 'x', false, 'allowed', true)`
  expect(await waitsForSecret(world, 'identity_providers.client_secret', insert)).toBe(true)
})
