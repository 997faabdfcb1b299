import { columnsOf, type From, find, onKey, paginate, type RowOf, updateIfUnchanged, write } from '#atrium'
import { avatarUrlAs, nameOf, personOf } from '#atrium/people'
import { projectOf, type SeesProjects } from '#atrium/projects'
import { fieldsShown } from '../ports/comment-fields.ts'
import { visibleTasks } from '../tasks.store.ts'
import { commentFaults } from './task-comments.rules.ts'

const shown = (from: From) =>
  [
    ...columnsOf('taskComments', ['id', 'taskId', 'authorId', 'content', 'createdAt', 'editedAt', 'deletedAt']),
    nameOf.as('authorName'),
    avatarUrlAs('users').as('authorAvatarUrl'),
    ...fieldsShown(from),
  ] as const

export const listComments = paginate(
  (from, p: { taskId: number }) =>
    from('taskComments')
      // A left join, so that a count can skip the authors; every comment has one.
      .leftJoin('users', personOf('taskComments.authorId'))
      .select(shown(from))
      .where('taskComments.taskId', '=', p.taskId),
  'taskComments.id',
  'oldest',
  { long: { text: ['content'] } },
)

/** A comment of a task that is seen, with what decides who may change it. */
export const getComment = find((from, p: SeesProjects & { taskId: number; id: number }) =>
  visibleTasks(from, p)
    .innerJoin('taskComments', onKey('taskComments.taskId', 'tasks.id'))
    .innerJoin('projects', projectOf('tasks.projectId'))
    .innerJoin('users', personOf('taskComments.authorId'))
    .select(shown(from))
    .select(['tasks.projectId', 'tasks.title', 'tasks.version', 'projects.ownerId'])
    .where('tasks.id', '=', p.taskId)
    .where('taskComments.id', '=', p.id),
).or(commentFaults.notFound)

export const insertComment = write(({ insert }, p: RowOf<'taskComments', 'editedAt' | 'deletedAt'>) =>
  insert('taskComments', p),
)

/** Changes a comment that was read with the text `was`. A deleted one has none. */
export const saveComment = updateIfUnchanged(
  (
    { update },
    { id, was, ...change }: Pick<RowOf<'taskComments'>, 'id' | 'content' | 'editedAt' | 'deletedAt'> & { was: string },
  ) => update('taskComments').set(change).where('taskComments.id', '=', id).where('taskComments.content', '=', was),
)
