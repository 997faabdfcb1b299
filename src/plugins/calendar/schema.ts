// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface CalendarKeysTable {
  tenantId: number
  id: Optional<number>
  userId: number
  keyHash: string
  createdAt: Optional<string>
}

export interface ReminderRoundsTable {
  tenantId: number
  id: Optional<number>
  day: string
  lastUser: Optional<number>
  lastTask: Optional<number>
  ended: Optional<boolean>
  createdAt: Optional<string>
}

declare module '#atrium' {
  interface DB {
    calendarKeys: CalendarKeysTable
    reminderRounds: ReminderRoundsTable
  }
}
