import { randomUUID } from 'node:crypto'
import { until } from '#test/patience.ts'
import type { Surroundings } from '#test/sealed.ts'

export default { 'webhooks.sealed': givenWebhook }

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
