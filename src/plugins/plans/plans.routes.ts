import type { DomainRoutes } from '#atrium'
import { planOf } from '#atrium/tenants'
import { usedOf } from './plans.actions.ts'
import { limitOf } from './plans.rules.ts'
import { UsageView } from './plans.schemas.ts'

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
      const [plan, people, projects, fileBytes, webhooks] = await Promise.all([
        planOf(scope),
        usedOf(scope, 'people'),
        usedOf(scope, 'projects'),
        usedOf(scope, 'fileBytes'),
        usedOf(scope, 'webhooks'),
      ])
      const limit = (quota: Parameters<typeof limitOf>[2]) => limitOf(config.plans, plan, quota)
      return {
        plan,
        people: { used: people, limit: limit('people') },
        projects: { used: projects, limit: limit('projects') },
        fileBytes: { used: fileBytes, limit: limit('fileBytes') },
        webhooks: { used: webhooks, limit: limit('webhooks') },
        requestsPerMinute: {
          used: await app.requestsOf({ id: scope.tenantId, plan }),
          limit: limit('requestsPerMinute'),
        },
      }
    },
  )
}
