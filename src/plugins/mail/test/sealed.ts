import { randomUUID } from 'node:crypto'
import { until } from '#test/patience.ts'
import type { Surroundings } from '#test/sealed.ts'
import { placeOf as placeOfMail } from '../mail.actions.ts'

export default { 'mails.sealed': givenMail }

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
