/** What other domains may use. */
export { type PlanOf, takeRoom, tenantPlan, type Usage, usages } from './plans.actions.ts'
export { plans } from './plans.domain.ts'
export { planFaults } from './plans.rules.ts'
