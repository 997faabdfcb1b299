// Generated from the migrated database by `npm run db:types`. Do not edit.
import type { Optional } from '#atrium'

export interface CommentMentionsTable {
  tenantId: number
  commentId: number
  userIds: number[]
  toldIds: number[]
}

export interface WatchesTable {
  tenantId: number
  id: Optional<number>
  userId: number
  projectId: number
  taskId: Optional<number | null>
  memberId: Optional<number | null>
  createdAt: string
}

declare module '#atrium' {
  interface DB {
    commentMentions: CommentMentionsTable
    watches: WatchesTable
  }
}
