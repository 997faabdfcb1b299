import { domain } from '#atrium'
import { people } from '#atrium/people'
import { portal } from '#atrium/portal'
import { tenants } from '#atrium/tenants'
import { orderEvents } from './checkout.events.ts'
import { checkoutRoutes } from './checkout.routes.ts'

const words = {
  events: orderEvents,
  sentences: {
    'Order not found': '订单不存在',
    'must be FV and 24 upper-case hexadecimal digits': '必须为 FV 加 24 位大写十六进制数字',
    'This plan cannot be paid online': '该套餐不支持在线支付',
    'the operator offers no renewal of this plan': '运营方未提供该套餐的续订',
    'must be a plan with a price': '必须是有定价的套餐',
  },
} as const

declare module '#atrium' {
  interface Domains {
    checkout: typeof words
  }
}

export const checkout = domain({
  name: 'checkout',
  uses: [people, portal, tenants],
  ...words,
  tags: {
    payments: {
      description: 'Orders of plans, and of the renewal of the tenant.',
      paths: ['/payments', '/tenant/renewals'],
    },
  },
  commands: () => import('./checkout.commands.ts'),
  routes: checkoutRoutes,
})
