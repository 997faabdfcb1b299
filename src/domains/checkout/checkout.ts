/** What other domains may use of this one. */
export { markPaid } from './checkout.actions.ts'
export { checkout } from './checkout.domain.ts'
