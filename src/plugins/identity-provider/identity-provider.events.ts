import { changesOf, event, view, z } from '#atrium'

export const PROVIDER_FIELDS = [
  ...(['issuer', 'clientId', 'clientSecret', 'groupsClaim', 'groupRoles', 'createUsers', 'passwordSignIn'] as const),
  'ownRedirect',
] as const

/** The subject is the tenant, which has at most one provider. No event holds the secret. */
export const providerEvents = {
  'identity_provider.updated': event(
    'People sign in at another identity provider from now on, or under other conditions.',
    z.object({ changes: changesOf(PROVIDER_FIELDS) }),
    { changes: [{ field: 'createUsers', from: false, to: true }] },
    'tenant',
  ),
  'identity_provider.removed': event(
    'The tenant has no identity provider any more.',
    z.object({ issuer: view.text }),
    { issuer: 'https://login.example.com' },
    'tenant',
  ),
} as const
