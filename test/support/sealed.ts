import { randomUUID } from 'node:crypto'
import { transact } from '../../src/data/tx/transact.ts'
import { hashPassword } from '../../src/domains/people/passwords.ts'
import { system } from '../../src/kernel/actor.ts'
import { placeOf as placeOfMail } from '../../src/plugins/mail/mail.actions.ts'
import type { Sealer } from '../../src/util/seal.ts'
import { openBrowser } from './browser.ts'
import { domains } from './domains.ts'
import { until } from './patience.ts'
import { nameProvider, startAddress } from './provider-steps.ts'
import type { Receiver } from './receiver.ts'
import { addFactor } from './second-factor.ts'
import type { Tenant, World } from './world.ts'

/** What the domains say of the secrets that they store sealed. */
export const SEALED = domains.flatMap(({ sealed = [] }) => sealed)

const PASSWORD = 'a long and winding road'

export interface Surroundings {
  world: World
  tenant: Tenant
  sealer: Sealer
  receiver: Receiver
}

/**
 * Makes a secret in each sealed column. Each function that it returns needs the secret, and says how that ended.
 * A new column needs a line here.
 */
export async function givenSecrets(parts: Surroundings): Promise<Record<string, () => Promise<string>>> {
  return {
    'identity_providers.client_secret': await givenProvider(parts),
    'mails.sealed': await givenMail(parts),
    'second_factors.secret': await givenSecondFactor(parts),
    'webhooks.sealed': await givenWebhook(parts),
  }
}

async function givenProvider({ world, tenant }: Surroundings) {
  await nameProvider(world.as(tenant.administrator))
  return async () =>
    (await openBrowser(world.app).follow(startAddress(tenant.code))).replace(/^.*#(code|error=\w+).*$/, '$1')
}

/** A wrong code is only refused as such by who can open the secret. */
async function givenSecondFactor({ world, tenant }: Surroundings) {
  const person = await world.givenUser(tenant)
  await world.look.rows('update users set password_hash = $1 where id = $2', [await hashPassword(PASSWORD), person.id])
  await addFactor(world.as(person), PASSWORD)
  const form = { username: person.username, password: PASSWORD, tenantCode: tenant.code, code: '000000' }
  return async () => {
    const { status, headers, error } = await world.anyone.post('/auth/login', form)
    return `${status} ${error?.type} ${headers['retry-after'] ?? ''}`.trim()
  }
}

async function givenWebhook({ world, tenant, receiver }: Surroundings) {
  const boss = world.as(tenant.administrator)
  const path = `/sealed-${randomUUID()}`
  const { id } = (await boss.post('/webhooks', { url: receiver.url + path, types: ['project.created'] })).expect(201)
  return async () => {
    const project = await world.givenProject(tenant.administrator)
    return until(async () => {
      const [event] = await world.look.rows(
        `select id::float8 from events where tenant_id = $1 and type = 'project.created' and subject_id = $2`,
        [tenant.id, project.id],
      )
      const deliveries = (await boss.get(`/webhooks/${id}/deliveries`)).expect(200)
      const delivery = deliveries.find(({ eventId }: { eventId: number }) => eventId === event?.id)
      if (!delivery?.attempts) return false
      const { status, lastError } = (await boss.get(`/webhooks/${id}/deliveries/${delivery.id}`)).expect(200)
      return lastError ?? status
    })
  }
}

async function givenMail({ world, tenant, sealer }: Surroundings) {
  const key = randomUUID()
  await world.look.rows(
    `insert into mails (tenant_id, key, kind, recipient, locale, sealed, due_at)
     values ($1, $2, 'MAIL_TEST', 'ada@example.org', 'en', $3, now() + interval '1 hour')`,
    [tenant.id, key, sealer.seal('{"facts":{}}', placeOfMail(tenant.id, key))],
  )
  return async () => {
    await world.look.rows('update mails set due_at = now(), last_error = null where key = $1', [key])
    world.database.announcements.publish('mail', tenant.id)
    return until(async () => {
      const [mail] = await world.look.rows('select status, last_error from mails where key = $1', [key])
      return mail!.status === 'waiting' ? (mail!.last_error ?? false) : mail!.status
    })
  }
}

/** Every secret of a tenant, sealed again by another sealer: as it was before the key was changed, or after one is lost. */
export async function sealAgain(
  { world, tenant, sealer }: Omit<Surroundings, 'receiver'>,
  other: Sealer,
): Promise<string[]> {
  const columns: string[] = []
  for (const { column, lockSome, save } of SEALED)
    await transact(world.database, { tenantId: tenant.id, actor: system, requestId: 'test' }, async (tx) => {
      for (const { id, place, sealed } of await lockSome(tx, { after: 0, most: 1000 })) {
        save(tx, { id, sealed: other.seal(sealer.open(sealed, place), place) })
        columns.push(column)
      }
    })
  return columns.toSorted()
}
