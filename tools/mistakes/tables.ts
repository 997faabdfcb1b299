import type { Mistake } from './mistakes.ts'

const path = 'db/migrations/0999_hats.sql'
const hats = 'create table hats (tenant_id bigint not null, id bigint not null'

/** What a migration can leave out. */
export const IN_TABLES: readonly Mistake[] = [
  {
    what: 'a column without its foreign key',
    path,
    to: `${hats}, task_id bigint not null, primary key (tenant_id, id));\nselect protect('hats');\n`,
    check: 'contract/keys',
    says: /hats\.task_id has no foreign key: add foreign key \(tenant_id, task_id\)/,
  },
  {
    what: 'an index that stops the writes of a table',
    path,
    to: 'create index tasks_by_title on tasks (tenant_id, title);\n',
    check: 'contract/migrations',
    says: /0999_hats\.sql/,
  },
  {
    what: 'a pattern that takes longer than its text is long',
    path: 'src/domains/tasks/tasks.rules.ts',
    from: /^(?=\/\*\* The life cycle of a task)/m,
    to: 'export const WORDS = /^(\\w+\\s?)*$/\n\n',
    check: 'contract/patterns',
    says: /tasks\.rules\.ts: \/\^\(\\w\+\\s\?\)\*\$\/ is exponential.*write it so that no part can be read in two ways/,
  },
]
