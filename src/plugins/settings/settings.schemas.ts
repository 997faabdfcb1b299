import { Locale, TimeZone, Version, view, z } from '#atrium'
import { TenantRegistration } from '#atrium/tenants'

const policy = z.object({
  locale: Locale.describe('The language of mail to people who have no account yet'),
  timeZone: TimeZone.describe('Decides when a day begins: for reminders, substitutes and the daily mail'),
  secondFactor: z
    .enum(['optional', 'required'])
    .describe('`required`: people without a second factor can only add one. Nobody can require it who has none'),
  firstPassword: z
    .enum(['keep', 'change'])
    .describe('`change`: a password that an administrator has set must be changed at the first sign-in'),
  passwordMinLength: z.number().int().min(6).max(64).describe('For passwords that people choose themselves'),
  sessionDays: z
    .number()
    .int()
    .min(1)
    .max(90)
    .describe('A session ends if it is not continued for so many days; a shorter time ends open ones too'),
  invitationDays: z.number().int().min(1).max(30).describe('An invitation can be accepted for so many days'),
})

export const SettingsPatch = z
  .object({
    registration: TenantRegistration.optional(),
    ...policy.partial().shape,
    version: Version.optional(),
  })
  .meta({
    id: 'TenantSettingsPatch',
    examples: [{ registration: 'open', version: 3, locale: 'en', timeZone: 'Europe/Berlin' }],
  })
export type SettingsPatch = z.output<typeof SettingsPatch>

export const SettingsView = z
  .object({
    registration: TenantRegistration,
    ...policy.shape,
    plan: view.text.describe('Set by the operator'),
    expiredAt: view.maybeInstant.describe('When the subscription ends; null if it does not'),
    renewal: z
      .object({ amountCents: z.number().int(), days: z.number().int() })
      .nullable()
      .describe("The operator's price in CNY for another period of the plan; null if there is no offer"),
    version: view.version,
  })
  .meta({
    id: 'TenantSettings',
    examples: [
      {
        registration: 'closed',
        locale: 'en',
        timeZone: 'Europe/Berlin',
        passwordMinLength: 6,
        sessionDays: 7,
        invitationDays: 7,
        plan: 'team',
        expiredAt: '2027-12-31T23:59:59.000Z',
        renewal: { amountCents: 29900, days: 365 },
        version: 3,
      },
    ],
  })
