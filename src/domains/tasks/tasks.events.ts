import { changesOf, event, view, z } from '#atrium'
import { TaskView } from './tasks.schemas.ts'

/** What other systems see of a task's fields. */
export const TASK_FIELDS = ['title', 'description', 'priority', 'dueDate', 'assigneeId', 'status'] as const

const Comment = z.object({ projectId: view.id, commentId: view.id })
const comment = { projectId: 42, commentId: 230 }

const Created = TaskView.pick({
  projectId: true,
  title: true,
  assigneeId: true,
  priority: true,
  status: true,
  dueDate: true,
  version: true,
})

export const taskEvents = {
  'task.created': event('A task was created.', Created, {
    projectId: 42,
    title: 'Prepare the launch',
    assigneeId: 9,
    priority: 'HIGH',
    status: 'TODO',
    dueDate: '2026-12-01',
    version: 0,
  }),
  'task.updated': event(
    'Fields of a task changed: its texts, its assignee or its status.',
    z.object({ projectId: view.id, version: view.version, changes: changesOf(TASK_FIELDS) }),
    { projectId: 42, version: 4, changes: [{ field: 'status', from: 'TODO', to: 'IN_PROGRESS' }] },
  ),
  'task.deleted': event(
    'A task was deleted. It can be restored for 30 days.',
    TaskView.pick({ projectId: true, title: true, version: true }),
    { projectId: 42, title: 'Prepare the launch', version: 4 },
  ),
  'task.restored': event(
    'A deleted task was restored; an assignee who may not have it any more was taken off.',
    TaskView.pick({ projectId: true, title: true, assigneeId: true, version: true }),
    { projectId: 42, title: 'Prepare the launch', assigneeId: 9, version: 5 },
  ),
  'task.commented': event('Somebody commented on a task.', Comment, comment),
  'task.comment_edited': event('The author of a comment changed its text.', Comment, comment),
  'task.comment_deleted': event('A comment was deleted; only that it was there is left.', Comment, comment),
} as const
