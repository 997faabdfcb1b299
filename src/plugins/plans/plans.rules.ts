import { type Limited, type Plans, quotaFaults } from '#atrium'

/** How much of something a plan allows; null if it has no limit. */
export function limitOf(plans: Plans | undefined, plan: string, quota: Limited): number | null {
  return plans && Object.hasOwn(plans, plan) ? (plans[plan]![quota] ?? null) : null
}

/**
 * Whether so many more fit. A tenant that is beyond its limit keeps everything and adds nothing.
 * @throws QUOTA_EXCEEDED
 */
export function assertFits(quota: Limited, { used, limit, wanted }: { used: number; limit: number; wanted: number }) {
  if (used + wanted > limit)
    throw quotaFaults.exceeded([{ quota, used, limit, message: '{quota}: {used} of {limit} are used' }])
}
