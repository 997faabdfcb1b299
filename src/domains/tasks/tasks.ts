/** What other domains may use. */
export { createTasks, lockWorkers } from './many/create-many.ts'
export { type CommentField, commentFields } from './ports/comment-fields.ts'
export { type TaskFollowers, type TaskNews, taskFollowers } from './ports/followers.ts'
export { loadInvolved } from './tasks.actions.ts'
export { tasks } from './tasks.domain.ts'
export { taskFaults } from './tasks.rules.ts'
export { TaskDraft, TaskView } from './tasks.schemas.ts'
export { everyTask, getTask, taskColumns, visibleTasks, withPeople } from './tasks.store.ts'
