import { IN_COMMANDS } from './commands.ts'
import { IN_LOGS } from './logs.ts'
import { IN_SIGHT } from './sight.ts'
import { IN_SQL } from './sql.ts'
import { IN_SYSTEMS } from './systems.ts'
import { IN_TABLES } from './tables.ts'

/** One change of the source, as someone in a hurry makes, and the sentence with which the check reports it. */
export interface Mistake {
  what: string
  path: string
  /** what is replaced; undefined where the file is a new one */
  from?: string | RegExp
  to: string
  /** what has to report it: the compiler, or one file of tests */
  check: 'types' | `unit/${string}` | `contract/${string}` | `api/${string}`
  /** the service does not start with it, so nothing else is seen beside it */
  alone?: true
  says: RegExp
}

const routes = 'src/domains/tasks/tasks.routes.ts'
const actions = 'src/domains/tasks/tasks.actions.ts'
const store = 'src/domains/tasks/tasks.store.ts'
const label = 'create table labels (tenant_id bigint not null, id bigint not null, primary key (tenant_id, id));\n'

const IN_DECLARATIONS: readonly Mistake[] = [
  {
    what: 'no access on a route',
    path: routes,
    from: "config: { access: 'project:list' },",
    to: '',
    check: 'contract/routes',
    says: /GET \S+ does not declare its access/,
    alone: true,
  },
  {
    what: 'no response schema',
    path: routes,
    from: 'response: { 200: TaskView },',
    to: '',
    check: 'contract/routes',
    says: /\/tasks\/:id does not declare exactly one 2xx/,
    alone: true,
  },
  {
    what: 'no operationId',
    path: routes,
    from: "operationId: 'getTask',",
    to: '',
    check: 'contract/routes',
    says: /GET \/api\/v1\/tasks\/:id has no operationId/,
    alone: true,
  },
  {
    what: 'an access that is mistyped',
    path: routes,
    from: "access: 'task:update'",
    to: "access: 'task:edit'",
    check: 'contract/routes',
    says: /demands task:edit, which no domain has among its permissions: declare it in \*\.domain\.ts/,
    alone: true,
  },
  {
    what: 'a sentence without its translation',
    path: 'src/domains/tasks/tasks.rules.ts',
    from: "'The task is finished and cannot be changed'",
    to: "'The task is over'",
    check: 'contract/mistakes',
    says: /says 'The task is over', which has no translation/,
  },
  {
    what: 'a view without a field',
    path: actions,
    from: 'dueDate: draft.dueDate ?? null,',
    to: '',
    check: 'types',
    says: /'dueDate' is missing/,
  },
  {
    what: 'a promise that nobody waits for',
    path: actions,
    from: 'export async function addComment(tx: Tx, taskId: number, content: string) {',
    to: 'export async function addComment(tx: Tx, taskId: number, content: string) {\n  getTask(tx, { id: taskId, ...projectsSeenBy(tx.actor) })',
    check: 'contract/mistakes',
    says: /tasks\.actions\.ts:\d+ does not wait for getTask: await it/,
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
    path: store,
    from: "personOf('taskComments.authorId')",
    to: "'users.id', 'taskComments.authorId'",
    check: 'contract/statements',
    says: /tasks\.listComments.*The statement touches users without its tenant/,
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
    from: 'refuses: [taskFaults.assigneeNotMember, projectFaults.archived, faults.notInTenant],',
    to: '',
    check: 'contract/document',
    says: /npm run openapi writes it/,
  },
  {
    what: 'a table without protect()',
    path: 'db/migrations/0099_labels.sql',
    to: label,
    check: 'contract/migrations',
    says: /table labels is open to every tenant: its migration has to end with {2}select protect\('labels'\);/,
  },
  {
    what: 'types of the tables that are forgotten',
    path: 'db/migrations/0099_labels.sql',
    to: `${label}select protect('labels');\n`,
    check: 'contract/migrations',
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
    what: 'a statement in an action',
    path: actions,
    from: /^/,
    to: "import { find } from '../../data/sql/verbs.ts'\n\nconst findHat = find((from, p: { id: number }) => from('tasks').where('tasks.id', '=', p.id))\n",
    check: 'contract/mistakes',
    says: /tasks\.actions\.ts:\d+ declares the statement findHat by find: statements belong into the store/,
  },
  {
    what: 'a transaction in a GET',
    path: routes,
    from: 'await getTask(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })',
    to: 'await req.transact((tx) => getTask(tx, { id: req.params.id, ...projectsSeenBy(req.user) }))',
    check: 'contract/mistakes',
    says: /tasks\.routes\.ts:\d+ transacts in a GET, which only reads: use req\.scope, or make it a POST/,
  },
  {
    what: 'a command that is not idempotent any more',
    path: 'src/domains/projects/projects.routes.ts',
    from: 'idempotent: true, ',
    to: '',
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
    what: 'a lock after a read',
    path: 'src/domains/content/content.actions.ts',
    from: /(lockCategory\(tx, \{ id \}\)),\s*(getCategory\(tx, \{ id, [^}]*\}\)),/,
    to: '$2, $1,',
    check: 'contract/statement-order',
    says: /reads \(getCategory\) before it locks \(lockCategory\): lock first/,
  },
  {
    what: 'a condition at commit that is forgotten',
    path: actions,
    from: /relyOnProject\(tx, projectId, .*\),\n/,
    to: 'undefined,\n',
    check: 'contract/guards',
    says: /tasks\.createTask no longer calls relyOnProject/,
  },
  {
    what: 'the clock before the first statement',
    path: actions,
    from: 'export async function addComment(tx: Tx, taskId: number, content: string) {',
    to: 'export async function addComment(tx: Tx, taskId: number, content: string) {\n  const since = tx.now',
    check: 'contract/mistakes',
    says: /addComment reads tx\.now before it has awaited a statement/,
  },
]

export const MISTAKES = [
  ...IN_DECLARATIONS,
  ...IN_SQL,
  ...IN_LOGS,
  ...IN_COMMANDS,
  ...IN_SIGHT,
  ...IN_TABLES,
  ...IN_SYSTEMS,
]
