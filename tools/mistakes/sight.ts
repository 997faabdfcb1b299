import type { Mistake } from './mistakes.ts'

const routes = 'src/domains/tasks/tasks.routes.ts'
const actions = 'src/domains/tasks/tasks.actions.ts'
const lists = 'src/domains/tasks/lists.routes.ts'

/** What a person sees who should not, and what a list costs. */
export const IN_SIGHT: readonly Mistake[] = [
  {
    what: 'a read that forgets who may see it',
    path: routes,
    from: /(\{ id: taskId), \.\.\.projectsSeenBy\(req\.user\) \}/,
    to: '$1 }',
    check: 'types',
    says: /tasks\.routes\.ts.*is not assignable to parameter of type .*\[SEEN\]: "projects"/,
  },
  {
    what: 'a command that forgets who may see it',
    path: actions,
    from: /(\{ id: taskId), \.\.\.projectsSeenBy\(tx\.actor\) \}/,
    to: '$1 }',
    check: 'types',
    says: /tasks\.actions\.ts.*is not assignable to parameter of type .*\[SEEN\]: "projects"/,
  },
  {
    what: 'a command that says it sees everything',
    path: actions,
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
    what: "a password's hash in a view",
    path: 'src/domains/people/people.schemas.ts',
    from: /(export const UserView = z\s*\.object\(\{)/,
    to: "$1\n    passwordHash: view.text.meta({ examples: ['-'] }),",
    check: 'contract/route-rules',
    says: /GET \/users answers with passwordHash, which reads like a secret: leave it out of the view/,
  },
  {
    what: 'a file that everybody may delete',
    path: 'src/domains/files/files.actions.ts',
    from: '  assertMayDelete(file, tx.actor)\n',
    to: '',
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
    what: 'a statement for each row of a list',
    path: lists,
    from: /rows: await withNames\(req, tasks\.rows\)/,
    to: 'rows: await Promise.all(tasks.rows.map(async (task) => (await listTasks(req.scope, { ...project, ...choice }, pageRequestOf(req.query))) && (await withNames(req, [task]))[0]!))',
    check: 'contract/mistakes',
    says: /lists\.routes\.ts:\d+ asks listTasks once for each element: ask once for all/,
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
    what: 'a day in the time zone of the machine',
    path: 'src/domains/content/first-articles.ts',
    from: '.toISOString().slice(0, 10)',
    to: ".toLocaleDateString('sv')",
    check: 'contract/mistakes',
    says: /first-articles\.ts:\d+ goes by the language or time zone of the machine \(\.toLocaleDateString\(\): use toISOString\(\)/,
  },
]
