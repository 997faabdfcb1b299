// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface WebhookDeliveriesTable {
  tenantId: number
  id: Optional<number>
  webhookId: number
  eventId: number
  type: string
  subjectType: string
  subjectId: number
  status: Optional<'waiting' | 'delivered' | 'failed' | 'dead'>
  attempts: Optional<number>
  responseStatus: Optional<number | null>
  responseBody: Optional<string | null>
  durationMs: Optional<number | null>
  lastError: Optional<string | null>
  dueAt: Optional<string | null>
  taken: Optional<number>
  leasedUntil: Optional<string | null>
  createdAt: Optional<string>
  endedAt: Optional<string | null>
}

export interface WebhooksTable {
  tenantId: number
  id: Optional<number>
  url: string
  types: string[]
  description: Optional<string | null>
  isPaused: Optional<boolean>
  sealed: Optional<string | null>
  madeBy: Optional<number | null>
  failures: Optional<number>
  isReported: Optional<boolean>
  lastEventId: number
  version: Optional<number>
  createdAt: Optional<string>
  deletedAt: Optional<string | null>
}

declare module '#atrium' {
  interface DB {
    webhookDeliveries: WebhookDeliveriesTable
    webhooks: WebhooksTable
  }
}
