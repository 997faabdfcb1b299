/** What other domains may use. */
export { audit } from './audit.domain.ts'
export { everyOperation, evidence, type LoggedOperation, newestOperation, operations } from './audit.store.ts'
