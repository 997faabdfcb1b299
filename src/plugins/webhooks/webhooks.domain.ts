import { domain, usages } from '#atrium'
import { people } from '#atrium/people'
import { roles } from '#atrium/roles'
import { tenants } from '#atrium/tenants'
import { events } from '#plugins/events'
import { sendingOfDeliveries } from './sending/worker.ts'
import { cleanups, webhooksUsed } from './webhooks.actions.ts'
import { webhookEvents } from './webhooks.events.ts'
import { webhookRoutes } from './webhooks.routes.ts'

const words = {
  permissions: { 'webhook:manage': ['tenant-admin'] },
  resources: ['webhook'],
  events: webhookEvents,
  notifications: {
    WEBHOOK_GAVE_UP: {
      en: 'Events could not be delivered to {host} and were given up',
      zh: '无法将事件投递到 {host}，已放弃',
    },
  },
  sentences: {
    'Webhook not found': 'Webhook 不存在',
    'Delivery not found': '投递记录不存在',
    'The address is not of the public internet': '该地址不是公网地址',
    'The webhook was changed by someone else': '该 Webhook 已被他人修改',
    'read the webhook and try again': '请重新读取该 Webhook 后重试',
    'The address of the webhook cannot be read any more; name it again': '该 Webhook 的地址已无法读取，请重新填写',
    'The event is no longer kept': '该事件已不再保留',
    'must be an HTTP or HTTPS address': '必须是 HTTP 或 HTTPS 地址',
    'must contain no user name and no password': '不能包含用户名和密码',
    'must be a type of event, or *': '必须是事件类型或 *',
    'must lead to the public internet': '必须指向公网',
  },
} as const

declare module '#atrium' {
  interface Domains {
    webhooks: typeof words
  }
}

export default domain({
  name: 'webhooks',
  about: 'Events delivered to the addresses of other systems',
  uses: [events, people, roles, tenants],
  ...words,
  tags: {
    webhooks: {
      description:
        'Addresses of other systems that are sent the events of the tenant. Deliveries are Standard Webhooks (www.standardwebhooks.com): each is signed with the secret of its webhook, and `webhook-id` is the id of the event. `webhooks` of this document describes each type of event.',
      paths: ['/webhooks'],
    },
  },
  provides: [usages.by(webhooksUsed)],
  jobs: () => [sendingOfDeliveries],
  cleanups: () => cleanups,
  migrations: new URL('./migrations/', import.meta.url),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: webhookRoutes,
})
