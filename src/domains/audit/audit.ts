/** What other domains may use of this one. */
export { openLogbook, recordCommand, recordOperation } from './audit.actions.ts'
