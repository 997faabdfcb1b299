// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface RecoveryCodesTable {
  tenantId: number
  id: Optional<number>
  userId: number
  codeHash: string
}

export interface SecondFactorsTable {
  tenantId: number
  id: Optional<number>
  userId: number
  secret: string
  usedSteps: Optional<number[]>
  createdAt: Optional<string>
}

declare module '#atrium' {
  interface DB {
    recoveryCodes: RecoveryCodesTable
    secondFactors: SecondFactorsTable
  }
}
