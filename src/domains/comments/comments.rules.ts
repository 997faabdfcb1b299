import { fault, notFound, type User } from '#atrium'
import type { CommentStatus } from './comments.schemas.ts'

export const commentFaults = {
  notFound: notFound('Comment'),
  notAuthor: fault('NOT_AUTHOR', 403, 'Only its author may change a comment; an editor of articles may delete it too'),
}

export type Deed = 'edit' | 'delete'
type Actor = Pick<User, 'id' | 'permissions'>

export function mayModerate({ permissions }: Pick<Actor, 'permissions'>): boolean {
  return permissions.has('content:update')
}

interface Comment {
  userId: number
  status: CommentStatus
  deletedAt: string | null
}

/**
 * Decides who changes a comment: its author; a moderator may delete it too. A deleted one is not changed by anyone, and a
 * hidden one is not there for others.
 * @throws NOT_FOUND, NOT_AUTHOR
 */
export function assertMayChange(comment: Comment, deed: Deed, actor: Actor): void {
  if (comment.deletedAt !== null) throw commentFaults.notFound()
  if (comment.userId === actor.id) return
  if (comment.status === 'hidden' && !mayModerate(actor)) throw commentFaults.notFound()
  if (deed === 'edit' || !mayModerate(actor)) throw commentFaults.notAuthor()
}
