import { type From, find, lock, paginate, type Seen, seen, sql, type User, write } from '#atrium'
import { nameOfWho } from '#atrium/people'
import { checkoutFaults, type Order } from './checkout.rules.ts'

/** Which orders: everybody's, or those of one person. */
type SeesOrders = Seen<'orders', { userId?: number }>

/** The orders that a person may see: who sets the prices sees what everybody has ordered. */
export function ordersSeenBy({ id, permissions }: Pick<User, 'id' | 'permissions'>): SeesOrders {
  return seen(permissions.has('price:update') ? {} : { userId: id })
}

const ordersWithin = (from: From, p: SeesOrders) =>
  from('paymentOrders')
    .select([
      'paymentOrders.id',
      'paymentOrders.orderNo',
      'paymentOrders.planId',
      'paymentOrders.planName',
      'paymentOrders.amountCents',
      'paymentOrders.renewalDays',
      'paymentOrders.channel',
      'paymentOrders.userId',
      'paymentOrders.createdAt',
      'paymentOrders.expiresAt',
    ])
    .select([
      sql<'CNY'>`payment_orders.currency`.as('currency'),
      sql<boolean>`payment_orders.paid_at is not null`.as('isPaid'),
      sql<boolean>`payment_orders.expires_at <= clock_timestamp()`.as('expired'),
      nameOfWho(from, 'paymentOrders.userId').as('userName'),
    ])
    .$if(p.userId !== undefined, (query) => query.where('paymentOrders.userId', '=', p.userId!))

export const getOrder = find((from, p: SeesOrders & { orderNo: string }) =>
  ordersWithin(from, p).where('paymentOrders.orderNo', '=', p.orderNo),
).or(checkoutFaults.notFound)

export const listOrders = paginate(ordersWithin, 'paymentOrders.id')

export const lockOrder = lock((from, p: { orderNo: string }) =>
  from('paymentOrders')
    .select([
      'paymentOrders.id',
      'paymentOrders.paidAt',
      'paymentOrders.renewalDays',
      'paymentOrders.amountCents',
      'paymentOrders.currency',
    ])
    .where('paymentOrders.orderNo', '=', p.orderNo)
    .forUpdate(),
).or(checkoutFaults.notFound)

export const insertOrder = write(({ insert }, p: Order & { userId: number }) => insert('paymentOrders', p))

export const savePaid = write(({ update }, p: { id: number; paidAt: string }) =>
  update('paymentOrders').set({ paidAt: p.paidAt }).where('paymentOrders.id', '=', p.id),
)
