/** What other domains may use. */
export { default as secondFactor } from './second-factor.domain.ts'
