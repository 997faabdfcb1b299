// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface SearchCursorsTable {
  tenantId: number
  lastEventId: number
  built: Optional<string[]>
  building: Optional<string | null>
  builtUpTo: Optional<number>
}

export interface SearchEntriesTable {
  tenantId: number
  type: string
  resourceId: number
  title: string[]
  texts: string[]
  updatedAt: string
}

export interface SearchWordsTable {
  tenantId: number
  type: string
  word: string
  place: number
  resourceId: number
}

declare module '#atrium' {
  interface DB {
    searchCursors: SearchCursorsTable
    searchEntries: SearchEntriesTable
    searchWords: SearchWordsTable
  }
}
