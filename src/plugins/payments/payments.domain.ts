import { domain } from '#atrium'
import { checkout } from '#atrium/checkout'
import { paymentRoutes } from './payments.routes.ts'

const words = {
  sentences: {
    'Payment provider not found': '支付渠道不存在',
    'The amount is not that of the order': '金额与订单不符',
    'The signature is not valid': '签名无效',
  },
} as const

declare module '#atrium' {
  interface Domains {
    payments: typeof words
  }
}

export default domain({
  name: 'payments',
  about: 'Callbacks of payment providers: Stripe, and one for development',
  uses: [checkout],
  ...words,
  commands: () => import('./pay.commands.ts'),
  document: new URL('./openapi.json', import.meta.url),
  console: new URL('./console/', import.meta.url),
  routes: paymentRoutes,
})
