import { IdInPath, Instant, idOf, text, view, z } from '#atrium'
import { Username, UserStatus } from '#atrium/people'
import { idSetOf } from '#atrium/roles'

const MOST_ROLES = 1000
const MOST_PERMISSIONS = 500

export const ServiceAccountDraft = z
  .object({
    name: Username,
    roleIds: z
      .array(idOf('roles'))
      .max(MOST_ROLES)
      .transform((ids) => [...new Set(ids)]),
  })
  .meta({ id: 'ServiceAccountDraft', examples: [{ name: 'Payroll', roleIds: [2] }] })
export type ServiceAccountDraft = z.output<typeof ServiceAccountDraft>

export const ServiceAccountPatch = z
  .object({ name: Username.optional(), roleIds: idSetOf('roles'), status: UserStatus.optional() })
  .meta({ id: 'ServiceAccountPatch', examples: [{ name: 'Payroll' }] })
export type ServiceAccountPatch = z.output<typeof ServiceAccountPatch>

export const ServiceAccountView = z
  .object({
    id: view.id,
    name: view.text,
    roles: z.array(z.string()),
    status: UserStatus,
    createdAt: view.instant,
  })
  .meta({ id: 'ServiceAccount', examples: [{ id: 31, name: 'Payroll', roles: ['user'], status: 'active' }] })
export type ServiceAccountView = z.output<typeof ServiceAccountView>

export const KeyDraft = z
  .object({
    name: text(64),
    expiresAt: Instant.nullish().describe('By default it does not expire'),
    permissions: z
      .array(z.string().max(128))
      .max(MOST_PERMISSIONS)
      .nullish()
      .transform((codes) => (codes ? [...new Set(codes)] : null))
      .describe('The only permissions that the key gives, of those that its account has; by default all of them'),
  })
  .meta({
    id: 'KeyDraft',
    examples: [{ name: 'Nightly import', expiresAt: '2099-12-31T00:00:00.000Z', permissions: ['project:list'] }],
  })
export type KeyDraft = z.output<typeof KeyDraft>

const shape = {
  id: view.id,
  name: view.text,
  prefix: view.text.describe('The beginning of the key, by which it is recognized'),
  permissions: z.array(z.string()).nullable(),
  expiresAt: view.maybeInstant,
  lastUsedAt: view.maybeInstant.describe('To within ten seconds'),
  createdAt: view.instant,
}
const example = {
  id: 12,
  name: 'Nightly import',
  prefix: 'atr_11Vf3nq0Zk8P',
  permissions: ['project:list'],
  expiresAt: '2099-12-31T00:00:00.000Z',
}

export const KeyView = z.object(shape).meta({ id: 'Key', examples: [example] })
export type KeyView = z.output<typeof KeyView>

export const CreatedKeyView = z
  .object({ ...shape, key: view.text.describe('The key itself, shown only in this answer') })
  .meta({ id: 'CreatedKey', examples: [{ ...example, key: 'atr_11Vf3nq0Zk8Pw…' }] })
export type CreatedKeyView = z.output<typeof CreatedKeyView>

export const KeyParams = z.object({ id: IdInPath, keyId: IdInPath })
