/** What other domains may use. */
export { account } from './account.domain.ts'
export { accountLink, sendsLinks } from './account.rules.ts'
export { pendingEmailOf } from './account.store.ts'
export { askToConfirm } from './addresses.actions.ts'
