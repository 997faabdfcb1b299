/** What other domains may use. */
export { events } from './events.domain.ts'
export type { StoredEvent } from './events.store.ts'
export { onEvents, readEvents, type Wanted } from './read.ts'
