import { readFileSync } from 'node:fs'
import { defaultsOfPlugins } from './of-plugins.ts'

/** One change of the source, as someone in a hurry makes, and the sentence with which the check reports it. */
export interface Mistake {
  what: string
  path: string
  /** what is replaced; undefined where the file is a new one */
  from?: string | RegExp
  /** in its place, by default nothing */
  to?: string
  /** what has to report it: the compiler, or one file of tests */
  check: 'types' | `unit/${string}` | `contract/${string}` | `api/${string}` | `plugins/${string}`
  /** it is not seen beside another one: the service does not start with it, or only the first difference is named */
  alone?: true
  says: RegExp
}

const routes = 'src/domains/tasks/tasks.routes.ts'
const ofRoutes = { path: routes, check: 'contract/routes', alone: true } as const
const actions = 'src/domains/tasks/tasks.actions.ts'
const comments = 'src/domains/tasks/comments/task-comments.actions.ts'
const label = 'create table labels (tenant_id bigint not null, id bigint not null, primary key (tenant_id, id));\n'
const ofLabels = { path: 'db/migrations/0099_labels.sql', check: 'contract/migrations' } as const
const lists = 'src/domains/tasks/lists.routes.ts'

/** Those that no test makes for itself: contract tests make theirs on a few lines of a domain of hats. */
export const MISTAKES: readonly Mistake[] = [
  {
    ...ofRoutes,
    what: 'no access on a route',
    from: "config: { access: 'project:list' },",
    says: /GET \S+ does not declare its access/,
  },
  {
    ...ofRoutes,
    what: 'no response schema',
    from: 'response: { 200: TaskView },',
    says: /\/tasks\/:id does not declare exactly one 2xx/,
  },
  {
    ...ofRoutes,
    what: 'no operationId',
    from: "operationId: 'getTask',",
    says: /GET \/api\/v1\/tasks\/:id has no operationId/,
  },
  {
    ...ofRoutes,
    what: 'an access that is mistyped',
    from: "access: 'task:update'",
    to: "access: 'task:edit'",
    says: /demands task:edit, which no domain has among its permissions: declare it in \*\.domain\.ts/,
  },
  {
    what: 'a view without a field',
    path: actions,
    from: 'dueDate: draft.dueDate ?? null,',
    check: 'types',
    says: /'dueDate' is missing/,
  },
  {
    what: 'a kernel that imports up',
    path: 'src/kernel/expected.ts',
    from: /^/,
    to: "import { Unavailable } from '../data/wire/unavailable.ts'\n",
    check: 'contract/floors',
    says: /src\/kernel\/expected\.ts imports src\/data\/wire\/unavailable\.ts, which is not below/,
  },
  {
    what: 'a tenant that is forgotten in a join',
    path: 'src/domains/tasks/comments/task-comments.store.ts',
    from: "personOf('taskComments.authorId')",
    to: "'users.id', 'taskComments.authorId'",
    check: 'contract/statements',
    says: /task-comments\.listComments.*The statement touches users without its tenant/,
  },
  {
    what: 'a locking read that is declared by find',
    path: 'src/domains/projects/projects.store.ts',
    from: 'export const lockProject = lock(',
    to: 'export const lockProject = find(',
    check: 'contract/statements',
    says: /declared by find or list locks rows; declare it by lock/,
  },
  {
    what: 'a refusal that is not declared',
    path: routes,
    from: 'refuses: [taskFaults.assigneeNotMember, projectFaults.readOnly, projectFaults.archived, faults.notInTenant],',
    check: 'contract/document',
    says: /npm run openapi writes it/,
  },
  {
    what: 'a table without protect()',
    ...ofLabels,
    to: label,
    says: /table labels is open to every tenant: its migration has to end with {2}select protect\('labels'\);/,
  },
  {
    what: 'types of the tables that are forgotten',
    ...ofLabels,
    to: `${label}select protect('labels');\n`,
    says: /schema\.ts is old, labels\.tenant_id is missing in it: npm run db:types/,
  },
  {
    what: 'two migrations of one number',
    path: 'db/migrations/0001_labels.sql',
    to: '-- again\n',
    check: 'contract/migrations',
    says: /has a number that another migration has: it has to be 0002/,
  },
  {
    what: 'a command that is not idempotent any more',
    path: 'src/domains/projects/projects.routes.ts',
    from: 'idempotent: true, ',
    check: 'contract/routes',
    says: /the table of routes is the one that was reviewed/,
  },
  {
    what: 'a change of rights that nobody is told of',
    path: 'src/domains/roles/roles.store.ts',
    from: "{ announces: 'roles' },",
    to: '{},',
    check: 'contract/announcements',
    says: /roles\.saveRole writes roles: its verb has to announce roles/,
  },
  {
    what: 'a status that is not the one declared',
    path: routes,
    from: /reply\.created\(`\/tasks[^,]*, reply\.versioned\(task\)\)/,
    to: 'reply.code(200).send(reply.versioned(task))',
    check: 'types',
    says: /tasks\.routes\.ts.*'200' is not assignable to parameter of type '201'/,
  },
  {
    what: 'a read that forgets who may see it',
    path: routes,
    from: /(\{ id: taskId), \.\.\.projectsSeenBy\(req\.user\) \}/,
    to: '$1 }',
    check: 'types',
    says: /tasks\.routes\.ts.*is not assignable to parameter of type .*\[SEEN\]: "projects"/,
  },
  {
    what: 'a command that says it sees everything',
    path: comments,
    from: /(\{ id: taskId), \.\.\.projectsSeenBy\(tx\.actor\) \}/,
    to: '$1, ...({} as ReturnType<typeof projectsSeenBy>) }',
    check: 'api/strangers',
    says: /A stranger who is a user is answered 201 by POST \/tasks\/:id\/comments/,
  },
  {
    what: 'a 403 for what a person may not know of',
    path: 'src/domains/checkout/checkout.routes.ts',
    from: /await (getOrder\(.*\))(?=\)\n)/,
    to: "await $1.catch(async (error) => { throw orderNo.startsWith('FV000') ? error : (await import('../../kernel/fault.ts')).faults.permissionDenied() })",
    check: 'api/strangers',
    says: /orders\/\{orderNo\} answers 403 with a type that is not in the document/,
  },
  {
    what: 'a file that everybody may delete',
    path: 'src/domains/files/files.actions.ts',
    from: '  assertMayDelete(file, tx.actor)\n',
    check: 'api/files',
    says: /is for who uploaded it/,
  },
  {
    what: 'news for who has left the project',
    path: actions,
    from: 'id !== null && mayRead.has(id)',
    to: 'id !== null',
    check: 'api/notifications',
    says: /but not who has left the project/,
  },
  {
    what: 'a statement for each row that a helper hides',
    path: lists,
    from: /rows: await withNames\(req, tasks\.rows\)/,
    to: 'rows: await Promise.all(tasks.rows.map(async (task) => (await withNames(req, [task]))[0]!))',
    check: 'api/page-costs',
    says: /GET \/projects\/:id\/tasks sends a statement \d+ times for \d+ rows: ask once for all of them/,
  },
  {
    what: 'a pattern that takes longer than its text is long',
    path: 'src/domains/tasks/tasks.rules.ts',
    from: /^(?=\/\*\* The life cycle of a task)/m,
    to: 'export const WORDS = /^(\\w+\\s?)*$/\n\n',
    check: 'contract/patterns',
    says: /tasks\.rules\.ts: \/\^\(\\w\+\\s\?\)\*\$\/ is exponential.*write it so that no part can be read in two ways/,
  },
  {
    what: 'an event that no domain declares',
    path: comments,
    from: "event: 'task.commented'",
    to: "event: 'task.praised'",
    check: 'types',
    says: /task-comments\.actions\.ts.*task\.praised/,
  },
  {
    what: 'an event whose example lacks a field of its schema',
    path: 'src/domains/tasks/tasks.events.ts',
    from: /(z\.object\(\{ projectId: view\.id, )(commentId)/,
    to: '$1mood: view.text.optional(), $2',
    check: 'contract/events',
    says: /tasks declares task\.commented with an example that lacks mood: add it/,
  },
  {
    what: 'a route that is open despite a duty',
    path: 'src/domains/tasks/tasks.routes.ts',
    from: "config: { access: 'task:update', versionIn: 'body' },",
    to: "config: { access: 'task:update', versionIn: 'body', despite: 'change-password' },",
    check: 'contract/routes',
    alone: true,
    says: /A route, its access, its exceptions from the gate or its key has changed, first at “PUT \/tasks\/:id /,
  },
  {
    what: 'a list that shows what is hidden',
    path: 'src/domains/comments/comments.store.ts',
    from: ".where('comments.status', '=', 'published')",
    check: 'contract/statements',
    alone: true,
    says: /The SQL of a statement has changed, first at “comments\.listPublishedComments/,
  },
  {
    what: 'two jobs of one name',
    path: 'src/domains/files/upkeep/sweep.ts',
    from: "name: 'the files'",
    to: "name: 'temporary files'",
    check: 'contract/jobs',
    says: /files declares the job temporary files, as another domain or job does: rename it/,
  },
  {
    what: 'a Chinese sentence without a fact of the English one',
    path: 'src/domains/tasks/tasks.domain.ts',
    from: '任务 {id} 尚未完成',
    to: '任务尚未完成',
    check: 'unit/sentences',
    says: /“task \{id\} is open” and its Chinese “任务尚未完成” have other placeholders/,
  },
  {
    what: 'a package of any version',
    path: 'package.json',
    from: '"zod": "',
    to: '"zod": "^',
    check: 'contract/dependencies',
    says: /package\.json names zod \^.*: pin one version/,
  },
  ...(await defaultsOfPlugins<readonly Mistake[]>('test/mistakes.ts')).flat(),
]

/** Whether the source reads differently by now than a mistake expects, so that it would change nothing. */
export function isStale({ path, from, to = '' }: Mistake): boolean {
  if (from === undefined) return false
  const text = readFileSync(path, 'utf8')
  return text.replace(from, to) === text
}
