/** What other domains may use of this one. */
export { approvals } from './approvals.domain.ts'
