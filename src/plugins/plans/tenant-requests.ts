import type { Attempt, FastifyInstance, Limit, Plans, TenantId } from '#atrium'
import { limitOf } from './plans.rules.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How many requests of a tenant count now; 0 if its plan does not limit them. */
    requestsOf(tenant: TenantOfPlan): Promise<number>
  }
}

interface TenantOfPlan {
  readonly id: TenantId
  readonly plan: string
}

/**
 * Limits the requests of a tenant as its plan says. Only those with a token or key of the tenant count: a stranger cannot
 * use them up, and neither can the system administrator.
 */
export function limitRequests(app: FastifyInstance, plans: Plans = {}): void {
  const limits = new Map<string, Limit>()
  for (const plan of Object.keys(plans)) {
    const most = limitOf(plans, plan, 'requestsPerMinute')
    if (most !== null) limits.set(plan, { name: 'tenant', most, windowMs: 60_000 })
  }
  const attemptOf = ({ id, plan }: TenantOfPlan): Attempt | undefined => {
    const limit = limits.get(plan)
    return limit && { limit, key: String(id) }
  }

  app.decorate('requestsOf', async (tenant) => {
    const once = attemptOf(tenant)
    return once ? app.limits.used(once) : 0
  })
  if (limits.size > 0)
    app.addHook('onRequest', async ({ actor, tenant }, reply) => {
      if (actor.kind !== 'user' || tenant?.id !== actor.tenantId) return
      const once = attemptOf(tenant)
      if (once) await app.limits.take(reply, [once])
    })
}
