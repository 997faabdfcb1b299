/** What other domains may use. */
export { notifications } from './notifications.domain.ts'
export { told } from './notifications.rules.ts'
export { arrivals, shown, userNameShown } from './notifications.store.ts'
