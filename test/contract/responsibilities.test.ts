import { expect, test } from 'vitest'
import { dependents, kindsOfWork } from '../../src/domains/people/people.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { expectNone } from '../support/expect-none.ts'
import { readAllMigrations, secretsOfPeople, snake } from '../support/schema-text.ts'

/** A key to `living_id` keeps its person from being deleted, so each such column is handed over, or ends with them. */
const sql = readAllMigrations()

const declared = [...dependents.all().flatMap(({ columns }) => columns.map(snake)), ...secretsOfPeople]

test('every column that names a person is in the list of what depends on people, or is history', () => {
  expectOnlyExceptions(
    'a column that names a person, as history',
    keepingIn(sql, '(?:living_)?id')
      .filter((column) => !declared.includes(column))
      .map((column) => ({
        place: column,
        says: `${column} names a person: provide \`dependents\` of #atrium/people, which says what ends with them`,
      })),
  )
})

/** A deletion of a person ends it by itself. */
const ENDED = 'project_members.user_id'

test('everything that keeps a person from being deleted is handed over, or ends with them', () => {
  expect(keepingIn(sql).length).toBeGreaterThanOrEqual(4)
  expectNone(
    keepingIn(sql)
      .filter((column) => !declared.includes(column) && column !== ENDED)
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
  expect(kinds).toEqual([...new Set(kinds)])
  expect(kinds).toEqual(expect.arrayContaining(['approvals', 'departments', 'projects', 'tasks']))
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
