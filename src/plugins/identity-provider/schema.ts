// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface IdentityProviderGroupsTable {
  tenantId: number
  id: Optional<number>
  name: string
  roleId: number
}

export interface IdentityProvidersTable {
  tenantId: number
  id: Optional<number>
  issuer: string
  clientId: string
  clientSecret: string
  groupsClaim: Optional<string | null>
  createUsers: boolean
  passwordSignIn: 'allowed' | 'forbidden'
  namedByAdministrator: boolean
  version: Optional<number>
  createdAt: Optional<string>
  updatedAt: Optional<string>
  ownRedirect: Optional<boolean>
}

export interface ProviderIdentitiesTable {
  tenantId: number
  id: Optional<number>
  userId: number
  issuer: string
  subject: string
  createdAt: Optional<string>
}

export interface UsedProviderSignInsTable {
  tenantId: number
  id: Optional<number>
  tokenHash: string
  expiresAt: string
}

declare module '#atrium' {
  interface DB {
    identityProviderGroups: IdentityProviderGroupsTable
    identityProviders: IdentityProvidersTable
    providerIdentities: ProviderIdentitiesTable
    usedProviderSignIns: UsedProviderSignInsTable
  }
}
