// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from 'atrium'

export interface LabelsTable {
  tenantId: number
  id: Optional<number>
  name: string
  colour: string
  version: Optional<number>
  createdAt: string
  updatedAt: string
}

export interface TaskLabelsTable {
  tenantId: number
  taskId: number
  labelId: number
  createdAt: string
}

declare module 'atrium' {
  interface DB {
    labels: LabelsTable
    taskLabels: TaskLabelsTable
  }
}
