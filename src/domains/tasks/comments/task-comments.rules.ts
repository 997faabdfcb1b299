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

type Part = 'author' | 'owner' | 'manager'

/** What a person may do to a comment, by what they are: its author, the owner of the project, or one who manages all. */
export const COMMENT_DEEDS: Record<Part, readonly Deed[]> = {
  author: ['edit', 'delete'],
  owner: ['delete'],
  manager: ['delete'],
}

interface Comment {
  authorId: number
  /** the owner of the task's project */
  ownerId: number
  deletedAt: string | null
}

/**
 * Decides who changes a comment, whatever the state of the task and of its project. A deleted one is not changed by anyone.
 * @throws NOT_FOUND, NOT_AUTHOR
 */
export function assertMayChange(
  comment: Comment,
  deed: Deed,
  { id, permissions }: Pick<User, 'id' | 'permissions'>,
): void {
  if (comment.deletedAt !== null) throw commentFaults.notFound()
  const parts: Part[] = []
  if (comment.authorId === id) parts.push('author')
  if (comment.ownerId === id) parts.push('owner')
  if (permissions.has('project:manage')) parts.push('manager')
  if (!parts.some((part) => COMMENT_DEEDS[part].includes(deed))) throw commentFaults.notAuthor()
}

/** What a notification shows of a comment: its beginning, never cut inside a character. */
export function quoteOf(content: string): string {
  return [...content].slice(0, 200).join('')
}
