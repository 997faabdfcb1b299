import { arrayQuery, type DomainRoutes, faults, IdParams, pageRequestOf, z } from '#atrium'
import { projectsSeenBy } from '#atrium/projects'
import { commentFields, withFields } from '../ports/comment-fields.ts'
import { getTask } from '../tasks.store.ts'
import { addComment, deleteComment, editComment } from './task-comments.actions.ts'
import { commentFaults } from './task-comments.rules.ts'
import { CommentDraft, CommentParams, CommentView } from './task-comments.schemas.ts'
import { listComments } from './task-comments.store.ts'

/** The comments of tasks. */
export const taskCommentRoutes: DomainRoutes = async (app, { config }) => {
  const [Draft, View] = [withFields(CommentDraft, 'draft'), withFields(CommentView, 'view')]
  const refused = commentFields.all().flatMap(({ refuses }) => refuses)
  const comments = { name: 'comment', most: config.commentLimit, windowMs: 60_000 }

  app.get(
    '/tasks/:id/comments',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'listTaskComments',
        summary: 'Read the comments of a task',
        description:
          'Oldest first. `before` returns the last ones before an id, and `Link` continues with older ones. A deleted comment has `deletedAt` and no content.',
        params: IdParams,
        querystring: arrayQuery({}),
        response: { 200: z.array(View) },
      },
    },
    async (req, reply) => {
      const taskId = req.params.id
      const [, comments] = await Promise.all([
        getTask(req.scope, { id: taskId, ...projectsSeenBy(req.user) }),
        listComments(req.scope, { taskId }, pageRequestOf(req.query)),
      ])
      return reply.list(comments)
    },
  )

  app.post(
    '/tasks/:id/comments',
    {
      config: { access: 'project:list', counts: 'task_commented', limit: comments },
      schema: {
        operationId: 'addTaskComment',
        summary: 'Comment on a task',
        description: 'The assignee and the reporter are notified. Finished tasks accept comments too.',
        params: IdParams,
        body: Draft,
        response: { 201: View },
        sends: ['RateLimit', 'RateLimit-Policy'],
        refuses: [faults.notInTenant, ...refused],
      },
    },
    (req) => req.transact((tx) => addComment(tx, req.params.id, req.body)),
  )

  app.put(
    '/tasks/:id/comments/:commentId',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'editTaskComment',
        summary: 'Edit a comment on a task',
        description:
          'Only by its author. Notifications that quote it quote the new text. The same text changes nothing.',
        params: CommentParams,
        body: Draft,
        response: { 200: View },
        refuses: [commentFaults.notFound, commentFaults.notAuthor, ...refused],
      },
    },
    (req) => req.transact((tx) => editComment(tx, req.params, req.body)),
  )

  app.delete(
    '/tasks/:id/comments/:commentId',
    {
      config: { access: 'project:list' },
      schema: {
        operationId: 'deleteTaskComment',
        summary: 'Delete a comment on a task',
        description:
          'By its author, by the owner of the project and by holders of `project:manage`. The comment stays in the list without its text, which is removed from notifications too.',
        params: CommentParams,
        response: { 200: z.null() },
        refuses: [commentFaults.notFound, commentFaults.notAuthor],
      },
    },
    (req) => req.transact((tx) => deleteComment(tx, req.params)).then(() => null),
  )
}
