import { fault, type User } from '#atrium'

export const commentFaults = {
  notFound: fault('NOT_FOUND', 404, 'The task has no such comment'),
  notAuthor: fault(
    'NOT_AUTHOR',
    403,
    'Only its author may change a comment; the owner of the project may delete it too',
  ),
}

export type Deed = 'edit' | 'delete'

interface Comment {
  authorId: number
  /** the owner of the task's project */
  ownerId: number
  deletedAt: string | null
}

/**
 * Decides who changes a comment, whatever the state of the task and of its project: its author; the owner of the project
 * and a person who manages all may delete it too. A deleted one is not changed by anyone.
 * @throws NOT_FOUND, NOT_AUTHOR
 */
export function assertMayChange(
  comment: Comment,
  deed: Deed,
  { id, permissions }: Pick<User, 'id' | 'permissions'>,
): void {
  if (comment.deletedAt !== null) throw commentFaults.notFound()
  const mayDelete = comment.ownerId === id || permissions.has('project:manage')
  if (comment.authorId !== id && !(deed === 'delete' && mayDelete)) throw commentFaults.notAuthor()
}

/** What a notification shows of a comment: its beginning, never cut inside a character. */
export function quoteOf(content: string): string {
  return [...content].slice(0, 200).join('')
}
