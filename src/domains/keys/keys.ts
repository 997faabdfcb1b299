/** What other domains and the service may use. */
export { findLivingCallers, rememberKeys } from './callers.ts'
export { keys } from './keys.domain.ts'
