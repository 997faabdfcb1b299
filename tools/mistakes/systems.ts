import type { Mistake } from './mistakes.ts'

/** What a domain can leave out that deals with people, mail and other systems. */
export const IN_SYSTEMS: readonly Mistake[] = [
  {
    what: 'an event that no domain declares',
    path: 'src/domains/tasks/tasks.actions.ts',
    from: "event: 'task.commented'",
    to: "event: 'task.praised'",
    check: 'types',
    says: /tasks\.actions\.ts.*task\.praised/,
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
    what: 'a change that other systems do not learn of',
    path: 'src/domains/tasks/tasks.actions.ts',
    from: / {2}tx\.record\(\{\n {4}event: 'task\.commented',[\s\S]*?\n {2}\}\)\n/,
    to: '',
    check: 'contract/events',
    says: /writes taskComments and records no event: call tx\.record/,
  },
  {
    what: 'a column with a secret that nobody has classified',
    path: 'src/data/sql/schema.ts',
    from: 'export interface TasksTable {\n',
    to: 'export interface TasksTable {\n  feedToken: string\n',
    check: 'contract/secrets',
    says: /tasks\.feed_token sounds like a secret: let its domain declare it as sealed/,
  },
  {
    what: 'a link for strangers without a limit',
    path: 'src/plugins/account/account.routes.ts',
    from: "config: { access: 'anyone', limit: links },",
    to: "config: { access: 'anyone' },",
    check: 'contract/route-rules',
    says: /account\.routes\.ts:\d+ lets anyone send \/auth\/\S+ as often as they like: give its config a limit/,
  },
  {
    what: 'a mail in one language',
    path: 'src/plugins/invitations/texts/zh.json',
    from: '"INVITATION": {',
    to: '"INVITATIONS": {',
    check: 'unit/texts',
    says: /the mail INVITATION has no text in zh-CN: write it beside that of the other language/,
  },
  {
    what: 'a job that a route starts',
    path: 'src/domains/tasks/tasks.routes.ts',
    from: /=> \{\n/,
    to: '=> {\n  startNotices(app.database)\n',
    check: 'contract/mistakes',
    says: /tasks\.routes\.ts:\d+ starts background work in a route by startNotices: declare it among the jobs of the domain/,
  },
]
