/** What other domains may use. */
export { eraseDueTenants } from './erase.ts'
export { portability } from './portability.domain.ts'
