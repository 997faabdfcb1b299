/** What other domains may use. */
export { dismissSubstitute, type SubstituteWork, substituteWork } from './substitutes.actions.ts'
export { substitutes } from './substitutes.domain.ts'
export { SubstituteView } from './substitutes.schemas.ts'
export { standIns, substituteOf } from './substitutes.store.ts'
