/** What other domains may use. */
export { verifyChain } from './chain/verify.ts'
