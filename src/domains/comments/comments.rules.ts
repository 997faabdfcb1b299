import { fault, notFound, type User } from '#atrium'
import type { CommentStatus } from './comments.schemas.ts'

export const commentFaults = {
  notFound: notFound('Comment'),
  notAuthor: fault('NOT_AUTHOR', 403, 'Only its author may change a comment; an editor of articles may delete it too'),
}

export type Deed = 'edit' | 'delete'
type Part = 'author' | 'moderator'

/** What a person may do to a comment, by what they are. */
export const COMMENT_DEEDS: Record<Part, readonly Deed[]> = {
  author: ['edit', 'delete'],
  moderator: ['delete'],
}

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
 * Decides who changes a comment. A deleted one is not changed by anyone, and a hidden one is not there for others.
 * @throws NOT_FOUND, NOT_AUTHOR
 */
export function assertMayChange(comment: Comment, deed: Deed, actor: Actor): void {
  if (comment.deletedAt !== null) throw commentFaults.notFound()
  const parts: Part[] = []
  if (comment.userId === actor.id) parts.push('author')
  if (mayModerate(actor)) parts.push('moderator')
  if (parts.length === 0 && comment.status === 'hidden') throw commentFaults.notFound()
  if (!parts.some((part) => COMMENT_DEEDS[part].includes(deed))) throw commentFaults.notAuthor()
}
