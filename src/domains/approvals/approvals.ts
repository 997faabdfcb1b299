/** What other domains may use of this one. */
export { approvals } from './approvals.domain.ts'
export type { StandIn } from './deciders.rules.ts'
export { able, findCandidate, standIns } from './deciders.store.ts'
export { tellSubstitute } from './passing/hand-over.actions.ts'
