import { type From, find, paginate, sql, write } from '#atrium'
import { checkoutFaults, type Order } from './checkout.rules.ts'

const ordersOf = (from: From, userId: number) =>
  from('paymentOrders')
    .select([
      'paymentOrders.id',
      'paymentOrders.orderNo',
      'paymentOrders.planId',
      'paymentOrders.planName',
      'paymentOrders.amountCents',
      'paymentOrders.channel',
      'paymentOrders.createdAt',
      'paymentOrders.expiresAt',
    ])
    .select([
      sql<'CNY'>`payment_orders.currency`.as('currency'),
      sql<boolean>`payment_orders.expires_at <= clock_timestamp()`.as('expired'),
    ])
    .where('paymentOrders.userId', '=', userId)

export const getOrder = find((from, p: { userId: number; orderNo: string }) =>
  ordersOf(from, p.userId).where('paymentOrders.orderNo', '=', p.orderNo),
).or(checkoutFaults.notFound)

export const listOrders = paginate((from, p: { userId: number }) => ordersOf(from, p.userId), 'paymentOrders.id')

export const insertOrder = write(({ insert }, p: Order & { userId: number }) => insert('paymentOrders', p))
