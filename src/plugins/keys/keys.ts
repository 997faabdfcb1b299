/** What other domains may use. */
export { default as keys } from './keys.domain.ts'
