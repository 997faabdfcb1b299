import { view, z } from '#atrium'

const used = z.object({
  used: z.number().int(),
  limit: z.number().int().nullable().describe('null if the plan does not limit it'),
})

export const UsageView = z
  .object({
    plan: view.text.describe('Set by the operator'),
    people: used.describe('Who can sign in: neither service accounts nor people who are disabled'),
    projects: used.describe('Those that are not archived'),
    fileBytes: used,
    webhooks: used,
    requestsPerMinute: used.describe(
      'Requests with a token or key of the tenant in the last minute, counted only if the plan limits them',
    ),
  })
  .meta({
    id: 'TenantUsage',
    examples: [
      {
        plan: 'team',
        people: { used: 41, limit: 50 },
        projects: { used: 12, limit: null },
        fileBytes: { used: 73_400_320, limit: 10_737_418_240 },
        webhooks: { used: 1, limit: 5 },
        requestsPerMinute: { used: 18, limit: 6000 },
      },
    ],
  })
export type UsageView = z.output<typeof UsageView>
