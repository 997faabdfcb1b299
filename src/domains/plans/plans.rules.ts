import { fault, type Limited } from '#atrium'

export const planFaults = {
  exceeded: fault('QUOTA_EXCEEDED', 409, 'The plan of this tenant has no room for this'),
}

/**
 * Whether so many more fit. A tenant that is beyond its limit keeps everything and adds nothing.
 * @throws QUOTA_EXCEEDED
 */
export function assertFits(quota: Limited, { used, limit, wanted }: { used: number; limit: number; wanted: number }) {
  if (used + wanted > limit)
    throw planFaults.exceeded([{ quota, used, limit, message: '{quota}: {used} of {limit} are used' }])
}
