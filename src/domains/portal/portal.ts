/** What other domains may use. */
export { readSection } from './portal.actions.ts'
export { portal } from './portal.domain.ts'
export { fitsSection, Plan } from './portal.schemas.ts'
