/** What a plan can limit: so many people who can sign in, active projects, bytes of files, webhooks, and requests a minute. */
export const LIMITED = ['people', 'projects', 'fileBytes', 'webhooks', 'requestsPerMinute'] as const
export type Limited = (typeof LIMITED)[number]

/** The limits of each plan, by its name. What is missing is unlimited, and so is a plan that is missing. */
export type Plans = Readonly<Record<string, { readonly [Quota in Limited]?: number | undefined }>>

/** How much of something a plan allows; null if it has no limit. */
export function limitOf(plans: Plans | undefined, plan: string, quota: Limited): number | null {
  return plans && Object.hasOwn(plans, plan) ? (plans[plan]![quota] ?? null) : null
}
