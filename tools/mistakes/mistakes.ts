/** One change of the source, such as somebody in a hurry makes, and the sentence by which the check tells of it. */
export interface Mistake {
  what: string
  path: string
  /** what is replaced; undefined where the file is a new one */
  from?: string | RegExp
  to: string
  check: 'types' | 'tests'
  says: RegExp
}

const routes = 'src/domains/tasks/tasks.routes.ts'
const actions = 'src/domains/tasks/tasks.actions.ts'
const store = 'src/domains/tasks/tasks.store.ts'
const label = 'create table labels (tenant_id bigint not null, id bigint not null, primary key (tenant_id, id));\n'

export const MISTAKES: readonly Mistake[] = [
  {
    what: 'no access on a route',
    path: routes,
    from: "config: { access: 'project:list' },",
    to: '',
    check: 'tests',
    says: /GET \S+ does not declare its access/,
  },
  {
    what: 'no response schema',
    path: routes,
    from: 'response: { 200: TaskView },',
    to: '',
    check: 'tests',
    says: /\/tasks\/:id does not declare exactly one 2xx/,
  },
  {
    what: 'no operationId',
    path: routes,
    from: "operationId: 'getTask',",
    to: '',
    check: 'tests',
    says: /GET \/api\/v1\/tasks\/:id has no operationId/,
  },
  {
    what: 'an access that is mistyped',
    path: routes,
    from: "access: 'task:update'",
    to: "access: 'task:edit'",
    check: 'tests',
    says: /demands task:edit, which no domain has among its permissions: declare it in \*\.domain\.ts/,
  },
  {
    what: 'a sentence without its translation',
    path: 'src/domains/tasks/tasks.rules.ts',
    from: "'The task is finished and cannot be changed'",
    to: "'The task is over'",
    check: 'tests',
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
    check: 'tests',
    says: /tasks\.actions\.ts:\d+ does not wait for getTask: await it/,
  },
  {
    what: 'a kernel that imports up',
    path: 'src/kernel/expected.ts',
    from: /^/,
    to: "import { Unavailable } from '../data/wire/unavailable.ts'\n",
    check: 'tests',
    says: /src\/kernel\/expected\.ts → src\/data\/wire\/unavailable\.ts/,
  },
  {
    what: 'a tenant that is forgotten in a join',
    path: store,
    from: "personOf('taskComments.authorId')",
    to: "'users.id', 'taskComments.authorId'",
    check: 'tests',
    says: /tasks\.listComments.*The statement touches users without its tenant/,
  },
  {
    what: 'a locking read that is declared by find',
    path: 'src/domains/projects/projects.store.ts',
    from: 'export const lockProject = lock(',
    to: 'export const lockProject = find(',
    check: 'tests',
    says: /declared by find or list locks rows; declare it by lock/,
  },
  {
    what: 'a refusal that is not declared',
    path: routes,
    from: 'refuses: [taskFaults.assigneeNotMember, projectFaults.archived, faults.notInTenant],',
    to: '',
    check: 'tests',
    says: /npm run openapi writes it/,
  },
  {
    what: 'a table without protect()',
    path: 'db/migrations/0011_labels.sql',
    to: label,
    check: 'tests',
    says: /table labels is open to every tenant: its migration has to end with {2}select protect\('labels'\);/,
  },
  {
    what: 'types of the tables that are forgotten',
    path: 'db/migrations/0011_labels.sql',
    to: `${label}select protect('labels');\n`,
    check: 'tests',
    says: /schema\.ts is old, labels\.tenant_id is missing in it: npm run db:types/,
  },
  {
    what: 'two migrations of one number',
    path: 'db/migrations/0010_labels.sql',
    to: '-- again\n',
    check: 'tests',
    says: /has a number that another migration has: it has to be 0011/,
  },
  {
    what: 'a statement in an action',
    path: actions,
    from: /^/,
    to: "import { find } from '../../data/sql/verbs.ts'\n\nconst findHat = find((from, p: { id: number }) => from('tasks').where('tasks.id', '=', p.id))\n",
    check: 'tests',
    says: /tasks\.actions\.ts:\d+ declares the statement findHat by find: statements belong into the store/,
  },
  {
    what: 'a transaction in a GET',
    path: routes,
    from: 'await getTask(req.scope, { id: req.params.id, ...projectsSeenBy(req.user) })',
    to: 'await req.transact((tx) => getTask(tx, { id: req.params.id, ...projectsSeenBy(req.user) }))',
    check: 'tests',
    says: /tasks\.routes\.ts:\d+ transacts in a GET, which only reads: use req\.scope, or make it a POST/,
  },
  {
    what: 'a command that is not idempotent any more',
    path: 'src/domains/projects/projects.routes.ts',
    from: 'idempotent: true, ',
    to: '',
    check: 'tests',
    says: /the table of routes is the one that was reviewed/,
  },
  {
    what: 'a change of rights that nobody is told of',
    path: 'src/domains/roles/roles.store.ts',
    from: "{ announces: 'rights' },",
    to: '{},',
    check: 'tests',
    says: /give its verb \{ announces: 'rights' \}/,
  },
  {
    what: 'a lock behind a read',
    path: 'src/domains/content/content.actions.ts',
    from: 'const [, category] = await tx.inOrder([\n    lockCategory(tx, { id }),\n    getCategory(tx, { id, ...articlesSeenBy(tx.actor) }),\n  ])',
    to: 'const [category] = await tx.inOrder([\n    getCategory(tx, { id, ...articlesSeenBy(tx.actor) }),\n    lockCategory(tx, { id }),\n  ])',
    check: 'tests',
    says: /reads \(getCategory\) before it locks \(lockCategory\): lock first/,
  },
  {
    what: 'a condition at commit that is forgotten',
    path: actions,
    from: /relyOnProject\(tx, projectId, .*\),\n/,
    to: 'undefined,\n',
    check: 'tests',
    says: /tasks\.createTask no longer calls relyOnProject/,
  },
  {
    what: 'the clock before the first statement',
    path: actions,
    from: 'export async function addComment(tx: Tx, taskId: number, content: string) {',
    to: 'export async function addComment(tx: Tx, taskId: number, content: string) {\n  const since = tx.now',
    check: 'tests',
    says: /addComment reads tx\.now before it has awaited a statement/,
  },
]
