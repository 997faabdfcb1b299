/** What other domains may use. */
export { takeOffByOperator } from './second-factor.actions.ts'
export { default as secondFactor } from './second-factor.domain.ts'
