import { directory, type From, find, lock, only, paginate, type Seen, seen, sql, type User, write } from '#atrium'
import { nameOfWho } from '#atrium/people'
import { checkoutFaults, type Order, type Reported } from './checkout.rules.ts'
import type { OrderView } from './checkout.schemas.ts'

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
      sql<OrderView['status']>`case when payment_orders.refunded_at is not null then 'refunded'
        when payment_orders.paid_at is not null then 'paid'
        when payment_orders.expired_at is not null or payment_orders.expires_at <= clock_timestamp() then 'expired'
        else 'pending' end`.as('status'),
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
      'paymentOrders.expiredAt',
      'paymentOrders.refundedAt',
      'paymentOrders.renewalDays',
      'paymentOrders.amountCents',
      'paymentOrders.currency',
    ])
    .where('paymentOrders.orderNo', '=', p.orderNo)
    .forUpdate(),
).or(checkoutFaults.notFound)

export const insertOrder = write(({ insert }, p: Order & { userId: number }) => insert('paymentOrders', p))

/** Saves the time of a report. */
export const saveReport = write(({ update }, p: { id: number } & Partial<Reported>) =>
  update('paymentOrders')
    .set(only(p, ['paidAt', 'expiredAt', 'refundedAt']))
    .where('paymentOrders.id', '=', p.id),
)

/** The tenant of an order, for a payment provider that knows its number alone. */
export const findTenantOfOrder = directory.find((from, p: { orderNo: string }) =>
  from('orderTenants').select('orderTenants.tenant').where('orderTenants.orderNo', '=', p.orderNo),
)

export const insertTenantOfOrder = directory.write((db, p: { orderNo: string; tenant: number }) =>
  db.insertInto('orderTenants').values(p),
)
