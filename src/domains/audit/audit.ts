/** What other domains may use. */
export { openLogbook, recordCommand, recordOperation } from './audit.actions.ts'
export { verifyChain } from './chain/verify.ts'
