/** What a plan can limit: so many people who can sign in, active projects, bytes of files, webhooks, and requests a minute. */
export const LIMITED = ['people', 'projects', 'fileBytes', 'webhooks', 'requestsPerMinute'] as const
export type Limited = (typeof LIMITED)[number]

/** The limits of each plan, by its name. What is missing is unlimited, and so is a plan that is missing. */
export type Plans = Readonly<Record<string, { readonly [Quota in Limited]?: number | undefined }>>
