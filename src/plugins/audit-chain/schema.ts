// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface AuditChainsTable {
  tenantId: number
  lastId: Optional<number>
  lastChain: Optional<string>
  removedId: Optional<number>
  removedChain: Optional<string>
  movedAt: Optional<string>
}

export interface AuditLinksTable {
  tenantId: number
  id: number
  chain: string
}

declare module '#atrium' {
  interface DB {
    auditChains: AuditChainsTable
    auditLinks: AuditLinksTable
  }
}
