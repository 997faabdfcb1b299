import { list } from '#atrium'
import type { Part } from '../../../demo/parts.ts'
import { addressOf, createWebhook } from './webhooks.actions.ts'
import { maskOf } from './webhooks.rules.ts'

const listWebhooks = list((from, _: object) =>
  from('webhooks').select(['webhooks.id', 'webhooks.url', 'webhooks.sealed as sealedSecrets']),
)

const part: Part<{ webhooks: Set<string> }> = {
  ways: {
    'make webhook': {
      // Of one whose key is lost, or that was imported, only the host is known.
      left: ({ url }, { webhooks }) => webhooks.has(url) || webhooks.has(maskOf(url)),
      // The receiver is made up, so nothing is sent to it.
      act: (tx, { url, types, description }) => createWebhook(tx, { url, types, description, status: 'paused' }),
    },
  },
  async findMade(scope, sealer) {
    const found = await listWebhooks(scope, {})
    return { webhooks: new Set(found.map((one) => addressOf({ sealer, tenantId: scope.tenantId }, one))) }
  },
}
export default part
