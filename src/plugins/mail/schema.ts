// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface MailCursorsTable {
  tenantId: number
  id: Optional<number>
  seen: number
}

export interface MailDigestsTable {
  tenantId: number
  userId: number
  newsFrom: number
  newsTo: number
  dueAt: string
}

export interface MailsTable {
  tenantId: number
  id: Optional<number>
  key: string
  kind: string
  userId: Optional<number | null>
  recipient: string
  locale: 'en' | 'zh-CN'
  sealed: Optional<string | null>
  status: Optional<'waiting' | 'sent' | 'dead'>
  attempts: Optional<number>
  lastError: Optional<string | null>
  dueAt: Optional<string>
  giveUpAt: Optional<string>
  createdAt: Optional<string>
  endedAt: Optional<string | null>
  newsFrom: Optional<number | null>
  newsTo: Optional<number | null>
  askedBy: Optional<number | null>
}

declare module '#atrium' {
  interface DB {
    mailCursors: MailCursorsTable
    mailDigests: MailDigestsTable
    mails: MailsTable
  }
}
