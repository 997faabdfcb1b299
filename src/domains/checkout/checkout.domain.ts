import { domain } from '#atrium'
import { portal } from '#atrium/portal'
import { checkoutRoutes } from './checkout.routes.ts'

const words = {
  sentences: {
    'Order not found': '订单不存在',
    'must be FV and 24 upper-case hexadecimal digits': '必须为 FV 加 24 位大写十六进制数字',
    'This plan cannot be paid online': '该套餐不支持在线支付',
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
  uses: [portal],
  ...words,
  tags: {
    payments: { description: 'Orders of plans.', paths: ['/payments'] },
  },
  routes: checkoutRoutes,
})
