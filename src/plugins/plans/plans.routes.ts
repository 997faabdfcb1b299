import type { DomainRoutes, Limited } from '#atrium'
import { planOf } from '#atrium/tenants'
import { usedOf } from './plans.actions.ts'
import { limitOf } from './plans.rules.ts'
import { UsageView } from './plans.schemas.ts'

const COUNTED = ['people', 'projects', 'fileBytes', 'webhooks'] as const
type Counted = Pick<UsageView, (typeof COUNTED)[number]>

/** What a tenant uses of what its plan limits. */
export const planRoutes: DomainRoutes = async (app, { config }) => {
  app.get(
    '/tenant/usage',
    {
      config: { access: 'settings:view', renews: true },
      schema: {
        operationId: 'getTenantUsage',
        summary: 'Read how much the tenant uses',
        description:
          'Next to each number is the limit of the plan. What would exceed it is refused with `QUOTA_EXCEEDED`, or `RATE_LIMITED` for requests. Administrators of an expired tenant can read it too.',
        response: { 200: UsageView },
      },
    },
    async ({ scope }): Promise<UsageView> => {
      const [plan, ...used] = await Promise.all([planOf(scope), ...COUNTED.map((quota) => usedOf(scope, quota))])
      const requests = await app.requestsOf({ id: scope.tenantId, plan })
      const usage = (quota: Limited, used: number) => ({ used, limit: limitOf(config.plans, plan, quota) })
      const counted = Object.fromEntries(COUNTED.map((quota, at) => [quota, usage(quota, used[at]!)])) as Counted
      return { plan, ...counted, requestsPerMinute: usage('requestsPerMinute', requests) }
    },
  )
}
