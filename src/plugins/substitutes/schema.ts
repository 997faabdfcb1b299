// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface SubstitutesTable {
  tenantId: number
  userId: number
  substituteId: number
  fromDay: string
  untilDay: string
  timeZone: string
  startsAt: string
  endsAt: string
  begun: Optional<boolean>
  createdAt: string
}

declare module '#atrium' {
  interface DB {
    substitutes: SubstitutesTable
  }
}
