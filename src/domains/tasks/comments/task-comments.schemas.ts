import { IdInPath, idInPathOf, longText, view, z } from '#atrium'
import { AvatarUrl } from '#atrium/people'

export const CommentDraft = z.object({ content: longText(2000) }).meta({ id: 'TaskCommentDraft' })
export type CommentDraft = z.output<typeof CommentDraft>
export const CommentParams = z.object({ id: IdInPath, commentId: idInPathOf('tasks/:id/comments') })

export const CommentView = z
  .object({
    id: view.id,
    taskId: view.id,
    authorId: view.id,
    authorName: view.person,
    authorAvatarUrl: AvatarUrl,
    content: view.text,
    createdAt: view.instant,
    editedAt: view.maybeInstant,
    deletedAt: view.maybeInstant,
  })
  .meta({
    id: 'TaskComment',
    examples: [
      {
        id: 230,
        taskId: 117,
        content: 'The pictures are in the folder.',
        authorId: 7,
        authorName: 'Ada Lovelace',
        editedAt: null,
        deletedAt: null,
      },
    ],
  })
export type CommentView = z.output<typeof CommentView>
