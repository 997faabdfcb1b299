// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface ScimGroupsTable {
  tenantId: number
  roleId: number
  externalId: Optional<string | null>
}

export interface ScimUsersTable {
  tenantId: number
  userId: number
  externalId: Optional<string | null>
  givenName: Optional<string | null>
  familyName: Optional<string | null>
  emailType: Optional<string | null>
  phoneType: Optional<string | null>
}

declare module '#atrium' {
  interface DB {
    scimGroups: ScimGroupsTable
    scimUsers: ScimUsersTable
  }
}
