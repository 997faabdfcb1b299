import { expect, test } from 'vitest'
import { dependents } from '../../src/domains/people/people.ts'
import { domains, schemaTypes } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { HASHES } from '../support/secret-columns.ts'

/** Secrets of rows that name a person, and are not ended with the others. */
const LEFT: Record<string, string> = {
  mails: 'a mail goes to the address of its person, and its link ends with the password that it was made for',
}
const naming = [...schemaTypes.matchAll(/^export interface (\w+)Table \{\n([\s\S]*?)^\}/gm)]
  .filter(([, , body]) => /^ {2}userId:/m.test(body!))
  .map(([, table]) => snake(table!))
const columns = [...domains.flatMap(({ sealed = [] }) => sealed.map(({ column }) => column as string)), ...HASHES]
const secret = new Set(columns.map((column) => column.split('.')[0]!))
const secrets = dependents.all().filter(({ isSecret }) => isSecret)
const ended = secrets.flatMap(({ columns }) => columns.map(snake))

test('a secret of a person ends when the person goes, and when their account turns out to be that of somebody else', () => {
  const owned = naming.filter((table) => secret.has(table))
  expect(owned.length).toBeGreaterThan(5)
  expectNone(
    owned
      .filter((table) => !(table in LEFT) && !ended.includes(`${table}.user_id`))
      .map(
        (table) =>
          `${table} holds a secret of a person: let its domain provide \`dependents\` of #atrium/people with \`isSecret\``,
      ),
  )
  expect(Object.keys(LEFT).filter((table) => !owned.includes(table))).toEqual([])
})

test('so do sessions, and who the person is at a provider', () => {
  expect(ended).toEqual(expect.arrayContaining(['sessions.user_id', 'provider_identities.user_id']))
})

function snake(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
}
