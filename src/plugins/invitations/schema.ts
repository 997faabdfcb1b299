// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface InvitationRolesTable {
  tenantId: number
  invitationId: number
  roleId: number
}

export interface InvitationsTable {
  tenantId: number
  id: Optional<number>
  email: string
  departmentId: Optional<number | null>
  note: Optional<string | null>
  tokenHash: string
  status: Optional<'pending' | 'accepted' | 'withdrawn' | 'expired'>
  expiresAt: string
  invitedById: number
  acceptedById: Optional<number | null>
  createdAt: Optional<string>
  mailedTokenHash: Optional<string | null>
  mailId: Optional<number | null>
}

declare module '#atrium' {
  interface DB {
    invitationRoles: InvitationRolesTable
    invitations: InvitationsTable
  }
}
