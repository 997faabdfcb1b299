/** What other domains may use. */
export { calendar } from './calendar.domain.ts'
