import { event, view } from '#atrium'
import { OrderView } from './checkout.schemas.ts'

const Order = OrderView.pick({ orderNo: true, amountCents: true }).extend({ currency: view.text })
const order = { orderNo: 'FV0123456789ABCDEF01234567', amountCents: 29_900, currency: 'CNY' }

export const orderEvents = {
  'order.created': event(
    'Somebody ordered a plan, or a renewal of the tenant.',
    Order.extend({ planId: view.maybeId, channel: OrderView.shape.channel }),
    { ...order, planId: 2, channel: 'card' },
  ),
  'order.paid': event('An order was paid.', Order, order),
  'order.expired': event('The payment provider has closed an order that was not paid.', Order, order),
  'order.refunded': event('The payment provider has refunded an order.', Order, order),
} as const
