// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface EmailConfirmationsTable {
  tenantId: number
  id: Optional<number>
  userId: number
  email: string
  tokenHash: string
  mark: string
  expiresAt: string
}

export interface PasswordResetRequestsTable {
  tenantId: number
  id: Optional<number>
  username: Optional<string | null>
  email: Optional<string | null>
  createdAt: Optional<string>
}

export interface PasswordResetsTable {
  tenantId: number
  id: Optional<number>
  userId: number
  tokenHash: Optional<string | null>
  mark: string
  expiresAt: string
  windowStartedAt: Optional<string>
  sent: Optional<number>
}

declare module '#atrium' {
  interface DB {
    emailConfirmations: EmailConfirmationsTable
    passwordResetRequests: PasswordResetRequestsTable
    passwordResets: PasswordResetsTable
  }
}
