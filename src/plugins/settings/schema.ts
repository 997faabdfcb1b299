// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface ExpiryNoticesTable {
  tenantId: number
  id: Optional<number>
  expiredAt: string
  days: number
  createdAt: Optional<string>
}

declare module '#atrium' {
  interface DB {
    expiryNotices: ExpiryNoticesTable
  }
}
