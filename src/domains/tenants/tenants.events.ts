import { changesOf, event, view, z } from '#atrium'

export const TENANT_FIELDS = [
  ...(['name', 'plan', 'expiredAt', 'registration', 'locale', 'timeZone', 'secondFactor', 'firstPassword'] as const),
  ...(['passwordMinLength', 'sessionDays', 'invitationDays'] as const),
] as const

const Nothing = z.object({})

export const tenantEvents = {
  'tenant.created': event(
    'The tenant was made, with its organization, its roles and its administrator.',
    z.object({ name: view.text, code: view.text, plan: view.text }),
    { name: 'Velora', code: 'velora', plan: 'team' },
  ),
  'tenant.updated': event(
    'Settings of the tenant changed, or its plan or expiry.',
    z.object({ changes: changesOf(TENANT_FIELDS) }),
    { changes: [{ field: 'registration', from: 'open', to: 'closed' }] },
  ),
  'tenant.disabled': event('The tenant was closed: its people are refused.', Nothing, {}),
  'tenant.closed': event(
    'The tenant was closed for good: its people are refused, and it will be erased unless it is reopened.',
    z.object({ eraseAt: view.instant }),
    { eraseAt: '2026-12-22T09:30:00.000Z' },
  ),
  'tenant.reopened': event('The closing was taken back.', Nothing, {}),
  'tenant.enabled': event('The tenant was opened again.', Nothing, {}),
} as const
