import pino from 'pino'
import { expect, test } from 'vitest'
import { exportAs, readArchive } from '../../src/plugins/portability/test/archive.ts'
import { sealWith } from '../../src/util/seal.ts'
import { testConfig } from '../support/config.ts'
import { givenConfirmationToken, givenResetToken } from '../support/links.ts'
import { givenCode } from '../support/provider-steps.ts'
import { openReceiver } from '../support/receiver.ts'
import { seedTenant } from '../support/samples.ts'
import { givenSecrets, SEALED } from '../support/sealed.ts'
import { HASHES, TAKEN_ALONG } from '../support/secret-columns.ts'
import { openWorld } from '../support/world.ts'

const sealer = sealWith(testConfig().sealingSecrets)
const lines: string[] = []
const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const [world, receiver] = await Promise.all([openWorld({ logger }), openReceiver()])

/** A tenant with a secret of every kind, each made by the request that makes such secrets. */
async function givenTenantWithSecrets() {
  const tenant = await world.givenTenant()
  await seedTenant(world, tenant, 'secretive')
  const uses = await givenSecrets({ world, tenant, sealer, receiver })
  const { id } = await world.givenUser(tenant)
  const code = await givenCode(world.app, tenant.code)
  ;(await world.anyone.post('/auth/oidc/exchange', { code })).expect(200)
  await world.as(tenant.administrator).create('/users/me/calendar-key', {})
  await world.as(tenant.administrator).create('/invitations', { email: 'guest@example.com' })
  const tokens = [await givenResetToken(world, tenant.id, id), await givenConfirmationToken(world, tenant.id, id)]
  for (const column of ['second_factors.secret', 'webhooks.sealed']) await uses[column]!()
  return { tenant, tokens }
}

/** What is stored in every column of secrets, and what is sealed there. */
async function valuesOf(tenantId: number): Promise<Map<string, string[]>> {
  const values = new Map<string, string[]>()
  for (const place of [...SEALED, ...HASHES, ...TAKEN_ALONG]) {
    const [table, column] = place.split('.')
    const rows = await world.look.rows<{ value: string }>(
      `select ${column}::text as value from ${table} where tenant_id = $1 and length(${column}::text) > 8`,
      [tenantId],
    )
    values.set(
      place,
      rows.map(({ value }) => value),
    )
  }
  return values
}

test('no secret leaves its column: not by an export, an event, a notification, the audit or the log', async () => {
  const { tenant, tokens } = await givenTenantWithSecrets()
  const values = await valuesOf(tenant.id)
  for (const [place, found] of values) if (!TAKEN_ALONG.includes(place)) expect(found.length, place).toBeGreaterThan(0)
  const secrets = [...values].filter(([place]) => !TAKEN_ALONG.includes(place)).flatMap(([, found]) => found)
  const all = [...secrets, ...tokens]

  const { entries } = await readArchive((await exportAs(world.app, tenant.administrator)).stream)
  expect(entries.size).toBeGreaterThan(20)
  for (const [name, bytes] of entries) for (const secret of all) expect(bytes.includes(secret), name).toBe(false)
  for (const table of [
    'events',
    'unnumbered_events',
    'outbox',
    'notifications',
    'activities',
    'audit_operations',
    'webhook_deliveries',
  ]) {
    const text = JSON.stringify(await world.look.rows(`select * from ${table}`))
    for (const secret of all) expect(text.includes(secret), `${table}: ${secret.slice(0, 12)}`).toBe(false)
  }
  const log = lines.join('')
  expect(log.length).toBeGreaterThan(1000)
  for (const secret of [...all, ...values.get('users.password_hash')!]) expect(log.includes(secret)).toBe(false)
})
