import { view, z } from '#atrium'
import { TenantRegistration } from '#atrium/tenants'

export const SettingsPatch = z
  .object({
    registration: TenantRegistration.optional(),
    version: z.number().int().min(0).optional(),
  })
  .meta({ id: 'TenantSettingsPatch', examples: [{ registration: 'open', version: 3 }] })
export type SettingsPatch = z.output<typeof SettingsPatch>

export const SettingsView = z
  .object({
    registration: TenantRegistration,
    plan: view.text.describe('Set by the operator'),
    expiredAt: view.maybeInstant.describe('When the subscription ends; null if it does not'),
    renewal: z
      .object({ amountCents: z.number().int(), days: z.number().int() })
      .nullable()
      .describe("The operator's price in CNY for another period of the plan; null if there is no offer"),
    version: z.number().int(),
  })
  .meta({
    id: 'TenantSettings',
    examples: [
      {
        registration: 'closed',
        plan: 'team',
        expiredAt: '2027-12-31T23:59:59.000Z',
        renewal: { amountCents: 29900, days: 365 },
        version: 3,
      },
    ],
  })
