import { Instant, sentence, text, view, z } from '#atrium'
import { newPassword, Username } from '#atrium/people'

const status = z
  .enum(['active', 'disabled', 'closing'])
  .meta({ id: 'TenantStatus', description: 'What is `closing` is erased at `eraseAt`' })

export const TenantRegistration = z
  .enum(['open', 'closed'])
  .meta({ id: 'TenantRegistration', description: 'Whether strangers may register' })

export const TenantDraft = z
  .object({
    name: text(128),
    code: z
      .string()
      .trim()
      .regex(
        /^[a-z][a-z0-9-]{1,62}[a-z0-9]$/,
        sentence('must be 3 to 64 lower-case letters, digits and hyphens, beginning with a letter'),
      ),
    plan: text(32),
    expiredAt: Instant.nullish(),
    registration: TenantRegistration.default('closed'),
    adminUsername: Username,
    adminPassword: newPassword(10),
    adminEmail: text(128).pipe(z.email()),
  })
  .meta({
    id: 'TenantDraft',
    examples: [
      { adminEmail: 'ada@velora.example', adminPassword: 'correct horse battery staple', adminUsername: 'ada' },
    ],
  })
export type TenantDraft = z.output<typeof TenantDraft>

export const TenantPatch = z
  .object({
    name: text(128).optional(),
    status: status.exclude(['closing']).optional(),
    plan: text(32).optional(),
    expiredAt: Instant.nullable().optional(),
    registration: TenantRegistration.optional(),
  })
  .meta({ id: 'TenantPatch' })
export type TenantPatch = z.output<typeof TenantPatch>

export const TenantView = z
  .object({
    id: view.id,
    name: view.text,
    code: view.text,
    status,
    plan: view.text,
    expiredAt: view.maybeInstant,
    registration: TenantRegistration,
    createdAt: view.instant,
    eraseAt: view.instant.optional().describe('Only of a tenant that is closing'),
  })
  .meta({
    id: 'Tenant',
    examples: [
      {
        id: 3,
        name: 'Velora',
        code: 'velora',
        expiredAt: '2027-12-31T23:59:59.000Z',
        plan: 'team',
        eraseAt: '2028-01-30T23:59:59.000Z',
      },
    ],
  })
export type TenantView = z.output<typeof TenantView>
