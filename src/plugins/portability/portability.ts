/** What other domains may use. */
export { default as portability } from './portability.domain.ts'
