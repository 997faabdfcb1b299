/** What other domains may use. */
export { eventText } from './event-view.ts'
export { default as events } from './events.domain.ts'
export { listEventsById, type StoredEvent } from './events.store.ts'
export { readEvents } from './read.ts'
