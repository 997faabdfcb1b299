/** What other domains may use. */
export { default as calendar } from './calendar.domain.ts'
