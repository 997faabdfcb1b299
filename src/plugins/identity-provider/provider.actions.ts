import { assertMatch, assertVersion, changesBetween, type Expected, fail, faults, ROLE, type Tx } from '#atrium'
import { lockStaff } from '#atrium/organization'
import { assertCovers, listRolesByIds, loadAuthority, roleFaults } from '#atrium/roles'
import { PROVIDER_FIELDS } from './identity-provider.events.ts'
import { providerFaults } from './identity-provider.rules.ts'
import type { ProviderDraft } from './identity-provider.schemas.ts'
import {
  findClient,
  findProvider,
  getProvider,
  insertGroup,
  listGroups,
  listRoleIdsOf,
  type Provider,
  removeGroup,
  removeProvider,
  saveProvider,
} from './identity-provider.store.ts'

type Groups = Awaited<ReturnType<typeof listGroups>>

/** The provider as its administrators see it: without the secret. */
export function shown(provider: Provider, groups: Groups) {
  return { ...provider, groupRoles: rolesOf(groups) }
}

/**
 * Changes the provider of the tenant, or names its first. Omitted fields stay, but another issuer never gets the secret of
 * the former one. The caller has asked the issuer what it is. Nobody saves a provider that gives roles beyond their own.
 * The person who gives the secret names the provider: a form sends the issuer back as it has read it.
 * @throws VALIDATION_FAILED, NOT_FOUND (role), PERMISSION_DENIED, VERSION_CONFLICT, PRECONDITION_FAILED
 */
export async function nameProvider(tx: Tx, draft: ProviderDraft, { ifMatch }: Expected = {}) {
  const [, before, groupsBefore, authority] = await tx.inOrder([
    lockStaff(tx, {}),
    findProvider(tx, {}),
    listGroups(tx, {}),
    loadAuthority(tx),
  ])
  const expected = { version: draft.version, ifMatch }
  assertVersion(before?.version ?? 0, expected, providerFaults.changed, 'read the identity provider and try again')
  const clientSecret = draft.clientSecret
    ? tx.sealer.seal(draft.clientSecret, placeOf(tx.tenantId))
    : keptSecret(await findClient(tx, {}), draft)
  const groupRoles = draft.groupRoles ?? rolesOf(groupsBefore)
  const after = {
    issuer: draft.issuer ?? before?.issuer ?? missing('issuer'),
    clientId: draft.clientId ?? before?.clientId ?? missing('clientId'),
    groupsClaim: draft.groupsClaim === undefined ? (before?.groupsClaim ?? null) : draft.groupsClaim,
    createUsers: draft.createUsers ?? before?.createUsers ?? false,
    passwordSignIn: draft.passwordSignIn ?? before?.passwordSignIn ?? ('allowed' as const),
    ownRedirect: draft.ownRedirect ?? before?.ownRedirect ?? false,
  }
  const codes = [...new Set([...Object.values(groupRoles), ...(after.createUsers ? [ROLE.user] : [])])]
  const named = await listRoleIdsOf(tx, { codes })
  if (named.length < codes.length) throw roleFaults.notFound()
  const roles = await listRolesByIds(tx, { ids: named.map(({ id }) => id) })
  assertCovers(authority, roles, 'body.groupRoles')
  saveProvider(tx, {
    ...after,
    clientSecret,
    namedByAdministrator: draft.clientSecret ? authority.isAdministrator : (before?.namedByAdministrator ?? false),
    version: (before?.version ?? 0) + 1,
    updatedAt: tx.now,
  })
  const idOf = new Map(named.map(({ code, id }) => [code, id]))
  if (draft.groupRoles) {
    for (const { id } of groupsBefore) removeGroup(tx, { id })
    for (const [name, code] of Object.entries(groupRoles)) insertGroup(tx, { name, roleId: idOf.get(code)! })
  }
  const changes = [
    ...changesBetween({ ...before, groupRoles: rolesOf(groupsBefore) }, { ...after, groupRoles }, PLAIN_FIELDS),
    ...(draft.clientSecret ? [{ field: 'clientSecret' as const, from: null, to: null }] : []),
  ]
  if (changes.length > 0) tx.record({ event: 'identity_provider.updated', subject: tx.tenantId, data: { changes } })
  return { ...after, groupRoles, version: (before?.version ?? 0) + 1 }
}

/** Takes the provider from the tenant. The identities of people at it are kept, in case it is named again. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function forgetProvider(tx: Tx, { ifMatch }: Expected = {}): Promise<void> {
  const [, { id, issuer, version }, groups] = await tx.inOrder([
    lockStaff(tx, {}),
    getProvider(tx, {}),
    listGroups(tx, {}),
  ])
  assertMatch(version, ifMatch)
  for (const group of groups) removeGroup(tx, { id: group.id })
  removeProvider(tx, { id })
  tx.record({ event: 'identity_provider.removed', subject: tx.tenantId, data: { issuer } })
}

/** Whether a draft says which provider it is, so that it has to be asked. A way back to passwords needs no provider. */
export function namesProvider({ issuer, clientId, clientSecret }: ProviderDraft): boolean {
  return issuer !== undefined || clientId !== undefined || clientSecret !== undefined
}

/** Where the secret of a tenant's provider is stored, for the sealer. */
export function placeOf(tenantId: number): string {
  return `identity_providers ${tenantId}`
}

const PLAIN_FIELDS = PROVIDER_FIELDS.filter((field) => field !== 'clientSecret')

function rolesOf(groups: Groups): Record<string, string> {
  return Object.fromEntries(groups.map(({ name, code }) => [name, code]))
}

/** The stored secret, still sealed: it is not needed for a way back to passwords. */
function keptSecret(before: Awaited<ReturnType<typeof findClient>>, { issuer, clientId }: ProviderDraft): string {
  const isSame = (issuer ?? before?.issuer) === before?.issuer && (clientId ?? before?.clientId) === before?.clientId
  return before && isSame ? before.clientSecret : missing('clientSecret')
}

function missing(field: 'issuer' | 'clientId' | 'clientSecret'): never {
  return fail(faults.validation([{ path: `body.${field}`, message: 'is required' }]))
}
