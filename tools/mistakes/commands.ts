import type { Mistake } from './mistakes.ts'

const routes = 'src/domains/tasks/tasks.routes.ts'
const actions = 'src/domains/tasks/tasks.actions.ts'
const files = 'src/domains/files/files.actions.ts'

/** What a command can do that nobody sees until it matters. */
export const IN_COMMANDS: readonly Mistake[] = [
  {
    what: 'a command that everyone may send who may read',
    path: routes,
    from: "access: 'task:update'",
    to: "access: 'project:list'",
    check: 'contract/route-rules',
    says: /PUT \/tasks\/:id changes something and demands project:list/,
  },
  {
    what: 'a creation that is answered 200',
    path: routes,
    from: 'response: { 201: TaskView }',
    to: 'response: { 200: TaskView }',
    check: 'contract/route-rules',
    says: /POST \/projects\/:id\/tasks makes something and declares 200/,
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
    what: 'a transaction of its own in a route',
    path: routes,
    from: /^/,
    to: "import { transact } from '../../data/tx/transact.ts'\n",
    check: 'contract/mistakes',
    says: /tasks\.routes\.ts imports transact, past the audit and the Idempotency-Key of the request: use req\.transact/,
  },
  {
    what: 'a refusal that is caught',
    path: actions,
    from: 'const revision = reviseTask(task, patch, assignee, tx.now)',
    to: 'let revision\n  try {\n    revision = reviseTask(task, patch, assignee, tx.now)\n  } catch {\n    return task\n  }',
    check: 'contract/mistakes',
    says: /tasks\.actions\.ts:\d+ catches what is thrown and goes on/,
  },
  {
    what: 'the clock of the process in a decision',
    path: actions,
    from: 'reviseTask(task, patch, assignee, tx.now)',
    to: 'reviseTask(task, patch, assignee, new Date().toISOString())',
    check: 'contract/mistakes',
    says: /tasks\.actions\.ts:\d+ reads the clock of the process \(new Date\(\)\): use tx\.now/,
  },
  {
    what: 'an async function in a forEach',
    path: actions,
    from: 'if (revision.changes.length > 0)\n',
    to: 'revision.changes.forEach(async (change) => change)\n  if (revision.changes.length > 0)\n',
    check: 'contract/mistakes',
    says: /gives forEach an async function, for which it does not wait/,
  },
  {
    what: 'a count that is kept in the process',
    path: actions,
    from: /^(?=\/\*\* Creates a task)/m,
    to: 'const made = new Map<number, number>()\n\n',
    check: 'contract/mistakes',
    says: /tasks\.actions\.ts:\d+ keeps made in the process, where no other replica sees it/,
  },
  {
    what: 'bytes that are removed before the commit',
    path: files,
    from: /tx\.afterCommit\('[^']*', \(\) => (storage\.remove\(tx\.tenantId, filename\))\)/,
    to: 'await $1',
    check: 'contract/route-rules',
    says: /files\.actions\.ts:\d+ removes bytes before the commit.*tx\.afterCommit\(\)/,
  },
  {
    what: 'a form of the public without a limit',
    path: 'src/domains/portal/contact.routes.ts',
    from: /app\.limits\.attempt\(reply, [^\n]*\n( *req\.transactAs[^\n]*)\n *\),/,
    to: '$1',
    check: 'contract/route-rules',
    says: /contact\.routes\.ts:\d+ lets anyone send \/public\/contact as often as they like: give its config a limit/,
  },
]
