/** What other domains may use. */
export { eraseDueTenants } from './erase.ts'
export { default as portability } from './portability.domain.ts'
