/** What other domains may use. */
export { readSection } from './portal.actions.ts'
export { portal } from './portal.domain.ts'
export { Plan } from './portal.schemas.ts'
