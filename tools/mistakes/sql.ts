import type { Mistake } from './mistakes.ts'

const store = 'src/domains/tasks/tasks.store.ts'
const check = 'contract/statement-rules'

/** What SQL can say that is a tenant's own, compiles, and is wrong. */
export const IN_SQL: readonly Mistake[] = [
  {
    what: 'a tenant that is forgotten in raw SQL',
    path: store,
    from: "from('tasks').select('tasks.projectId').where('tasks.id', '=', p.taskId)",
    to: 'sql<number>`(select project_id from tasks where id = $' + '{p.taskId})`',
    check,
    says: /tasks\.findAssignee names the table tasks in a sql template.*build it by from\('tasks'\)/,
  },
  {
    what: 'a version that is not compared',
    path: store,
    from: "\n      .where('tasks.version', '=', p.was)",
    to: '',
    check,
    says: /tasks\.saveTask changes what was read without its version/,
  },
  {
    what: 'a list without its limit',
    path: store,
    from: /(orderBy\('tasks\.id'\))\n {4}\.limit\(p\.most\)/,
    to: '$1',
    check,
    says: /tasks\.listOpenTasks returns as many rows as there are: end it with \.limit\(\)/,
  },
  {
    what: 'an order in which rows can be equal',
    path: store,
    from: "'taskComments.id',\n  'oldest'",
    to: "'taskComments.createdAt',\n  'oldest'",
    check,
    says: /tasks\.listComments is ordered by "task_comments"\."created_at".*let the order end with an id/,
  },
  {
    what: 'an UPDATE whose WHERE has lost the id',
    path: store,
    from: "\n      .where('tasks.id', '=', p.id)\n      .where('tasks.version'",
    to: "\n      .where('tasks.version'",
    check,
    says: /tasks\.saveTask changes rows whose WHERE names no id/,
  },
  {
    what: "a password's hash among the columns of users",
    path: 'src/domains/users/users.store.ts',
    from: "columnsOf('users', [",
    to: "columnsOf('users', ['passwordHash', ",
    check,
    says: /users\.\w+ reads users\.password_hash, a secret/,
  },
]
