/** What other domains may use. */
export { takeOffByOperator } from './second-factor.actions.ts'
export { secondFactor } from './second-factor.domain.ts'
