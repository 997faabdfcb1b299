import { columnsOf, type From, find, list, onKey, type PartOf, removeOldest, sql, write } from '#atrium'
import { holdsOffice, livingPeople, personOf } from '#atrium/people'
import { administrators, everyRole } from '#atrium/roles'
import { MOST_GROUPS, providerFaults } from './identity-provider.rules.ts'

const names = [
  ...(['id', 'issuer', 'clientId', 'groupsClaim', 'createUsers', 'passwordSignIn'] as const),
  ...(['ownRedirect', 'namedByAdministrator', 'version'] as const),
] as const

const providers = (from: From) => from('identityProviders').select(columnsOf('identityProviders', names))

/** The provider of the tenant. */
export const findProvider = find((from, _: object) => providers(from))
export const getProvider = find((from, _: object) => providers(from)).or(providerFaults.notFound)
export type Provider = NonNullable<Awaited<ReturnType<typeof findProvider>>>

/** How Atrium is known to the provider, with the sealed secret. */
export const findClient = find((from, _: object) =>
  from('identityProviders').select(columnsOf('identityProviders', ['issuer', 'clientId', 'clientSecret'])),
)

/** The groups that give a role, and the role. */
export const listGroups = list((from, _: object) =>
  everyRole(from)
    .innerJoin('identityProviderGroups', onKey('identityProviderGroups.roleId', 'roles.id'))
    .select(['identityProviderGroups.id', 'identityProviderGroups.name', 'roles.id as roleId', 'roles.code'])
    .orderBy('identityProviderGroups.id')
    .limit(sql.lit(MOST_GROUPS)),
)

type Saved = PartOf<'identityProviders', Exclude<(typeof names)[number], 'id' | 'version'> | 'clientSecret'>

/** Replaces the provider, or makes it; its version rises. */
export const saveProvider = write(({ insert }, p: Saved & { version: number; updatedAt: string }) =>
  insert('identityProviders', p).onConflict((conflict) => conflict.columns(['tenantId']).doUpdateSet(p)),
)

export const removeProvider = write(({ remove }, p: { id: number }) =>
  remove('identityProviders').where('identityProviders.id', '=', p.id),
)

export const insertGroup = write(({ insert }, p: { name: string; roleId: number }) =>
  insert('identityProviderGroups', p),
)

export const removeGroup = write(({ remove }, p: { id: number }) =>
  remove('identityProviderGroups').where('identityProviderGroups.id', '=', p.id),
)

/** Roles of these codes. */
export const listRoleIdsOf = list((from, p: { codes: readonly string[] }) =>
  everyRole(from)
    .select(['roles.id', 'roles.code'])
    .where('roles.code', '=', sql<string>`any(${p.codes}::text[])`)
    .limit(sql.lit(MOST_GROUPS + 1)),
)

/** Whether a person may use a password; undefined if the tenant has no provider. @param p.userId 0 for a stranger */
export const findPasswordRule = find((from, p: { userId: number }) =>
  from('identityProviders')
    .select('identityProviders.passwordSignIn')
    .select([
      sql<boolean>`exists(${administrators(from).where('userRoles.userId', '=', p.userId)})`.as('isAdministrator'),
      sql<boolean>`exists(${livingPeople(from).select('users.id').where('users.id', '=', p.userId).where(holdsOffice(from))})`.as(
        'isFirst',
      ),
      sql<boolean>`exists(${from('providerIdentities')
        .innerJoin('users', personOf('providerIdentities.userId'))
        .select('users.id')
        .where(sql<boolean>`provider_identities.issuer = identity_providers.issuer`)
        .where('users.status', '=', 'active')
        .where('users.id', 'in', administrators(from))})`.as('isProven'),
    ]),
)

/** The person of an issuer and a subject. */
export const findIdentity = find((from, p: { issuer: string; subject: string }) =>
  from('providerIdentities')
    .innerJoin('users', personOf('providerIdentities.userId'))
    .select(['users.id', 'users.username', 'users.status', 'users.deletedAt'])
    .where('providerIdentities.issuer', '=', p.issuer)
    .where('providerIdentities.subject', '=', p.subject),
)

export const insertIdentity = write(({ insert }, p: { userId: number; issuer: string; subject: string }) =>
  insert('providerIdentities', p),
)

/** Living people whose own verified address this is, and whether they are known at the provider. */
export const listVerifiedAt = list((from, p: { email: string; issuer: string }) =>
  livingPeople(from)
    .select(['users.id', 'users.username', 'users.status'])
    .select(
      sql<boolean>`exists(${from('providerIdentities')
        .select('providerIdentities.id')
        .where(sql<boolean>`provider_identities.user_id = users.id`)
        .where('providerIdentities.issuer', '=', p.issuer)})`.as('isKnown'),
    )
    .where('users.emailKey', '=', sql<string>`lower(${p.email})`)
    .where('users.emailVerifiedAt', 'is not', null)
    .orderBy('users.id')
    .limit(2),
)

/** Uses up a sign-in. Of several that come together, one succeeds. */
export const useSignIn = write(
  ({ insert }, p: { tokenHash: string; seconds: number }) =>
    insert('usedProviderSignIns', {
      tokenHash: p.tokenHash,
      expiresAt: sql<string>`statement_timestamp() + make_interval(secs => ${p.seconds})`,
    }),
  { conflicts: { used_provider_sign_ins_once: providerFaults.invalidCode } },
)

export const removeOldSignIns = removeOldest('usedProviderSignIns', 'expiresAt', sql<string>`statement_timestamp()`)
