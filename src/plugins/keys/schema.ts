// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface ApiKeysTable {
  tenantId: number
  id: Optional<number>
  userId: number
  name: string
  prefix: string
  keyHash: string
  permissions: Optional<string[] | null>
  expiresAt: Optional<string | null>
  lastUsedAt: Optional<string | null>
  createdAt: Optional<string>
}

declare module '#atrium' {
  interface DB {
    apiKeys: ApiKeysTable
  }
}
