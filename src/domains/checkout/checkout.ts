/** What other domains may use of this one. */
export { settleOrder } from './checkout.actions.ts'
export { checkout } from './checkout.domain.ts'
export { checkoutFaults, type PaymentStatus } from './checkout.rules.ts'
export { OrderParams } from './checkout.schemas.ts'
export { findTenantOfOrder } from './checkout.store.ts'
