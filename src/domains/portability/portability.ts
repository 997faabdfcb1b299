/** What other domains may use. */
export { portability } from './portability.domain.ts'
