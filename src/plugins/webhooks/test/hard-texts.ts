import { type Fill, hard, WIDE } from '../../../../test/support/hard-texts.ts'

const fill: Fill = async ({ world, tenant, made }) => {
  const url = `https://example.org/${WIDE.repeat(5)}`
  const webhook = await made('/webhooks', { url, types: ['*'], description: hard(), status: 'paused' })
  await world.givenDeadDelivery(tenant, webhook)
}
export default fill
