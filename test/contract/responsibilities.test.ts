import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { dependents, kindsOfWork } from '../../src/domains/people/people.ts'
import { apart } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'

/** A key to `living_id` keeps its person from being deleted, so each such column is handed over, or ends with them. */
const folders = [
  new URL('../../db/migrations/', import.meta.url),
  ...apart.flatMap(({ migrations }) => migrations ?? []),
]
const sql = folders
  .flatMap((folder) => {
    const cwd = fileURLToPath(folder)
    const files = globSync('*.sql', { cwd }).sort()
    return files.map((file) => readFileSync(`${cwd}/${file}`, 'utf8'))
  })
  .join('\n')

/** What a deletion of a person ends by itself. */
const ENDED = ['project_members.user_id']
/** What people have done, and what was for them to read: nobody waits for it, and it stays with who has gone. */
const HISTORY = [
  ...['approval_steps.acted_by', 'approval_steps.decided_for_id', 'articles.writer_id'],
  ...['task_comments.author_id', 'tasks.reporter_id', 'webhooks.made_by', 'idempotency_keys.user_id'],
  ...['notifications.receiver_id', 'mail_digests.user_id'],
  // The system administrator cannot be deleted.
  'system_administrator.user_id',
]

const declared = dependents.all().flatMap(({ columns }) => columns.map(snake))

test('every column that names a person is in the list of what depends on people, or is history', () => {
  const naming = keepingIn(sql, '(?:living_)?id')
  expect(naming.length).toBeGreaterThan(25)
  expectNone(
    naming
      .filter((column) => ![...ENDED, ...HISTORY, ...declared].includes(column))
      .map(
        (column) =>
          `${column} names a person: provide \`dependents\` of #atrium/people, which says what ends with them`,
      ),
  )
  expect(HISTORY.filter((column) => !naming.includes(column))).toEqual([])
})

test('everything that keeps a person from being deleted is handed over, or ends with them', () => {
  expect(keepingIn(sql).length).toBeGreaterThanOrEqual(6)
  expectNone(
    keepingIn(sql)
      .filter((column) => !ENDED.includes(column) && !declared.includes(column))
      .map((column) => `${column} keeps its person from being deleted: provide \`dependents\` of #atrium/people`),
  )
})

test('a column that does is found, however its table came by the key', () => {
  const key = 'foreign key (tenant_id, owner_id) references users (tenant_id, living_id)'
  expect(keepingIn(`create table hats (tenant_id bigint,\n  ${key});`)).toEqual(['hats.owner_id'])
  expect(keepingIn(`alter table hats add constraint hats_owner_lives ${key} not valid;`)).toEqual(['hats.owner_id'])
  expect(keepingIn('create table hats (foreign key (tenant_id, owner_id) references users (tenant_id, id));')).toEqual(
    [],
  )
})

test('kinds have names of their own', () => {
  const kinds = kindsOfWork().map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual(
    [...new Set([...kinds, 'approvals', 'departments', 'invitations', 'projects', 'tasks'])].toSorted(),
  )
})

/** The columns of a schema that refer to people, by default as long as they are there. */
function keepingIn(text: string, id = 'living_id'): string[] {
  const statements = text.replace(/--.*$/gm, '').split(';')
  return statements.flatMap((statement) => {
    const [, table] = /\b(?:create|alter) table (?:if not exists |only )?(\w+)/i.exec(statement) ?? []
    const keys = statement.matchAll(
      new RegExp(`foreign key \\(tenant_id, (\\w+)\\)\\s+references users \\(tenant_id, ${id}\\)`, 'gi'),
    )
    return [...keys].map(([, column]) => `${table}.${column}`)
  })
}

function snake(column: string): string {
  return column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
