import { expect, test } from 'vitest'
import { schemaTypes } from '../support/domains.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { secretsOfPeople, tablesIn } from '../support/schema-text.ts'
import { SEALED } from '../support/sealed.ts'
import { HASHES } from '../support/secret-columns.ts'

const naming = [...tablesIn(schemaTypes)].flatMap(([table, columns]) => (columns.includes('user_id') ? [table] : []))
const secret = new Set([...SEALED, ...HASHES].map((column) => column.split('.')[0]!))

test('a secret of a person ends when the person goes, and when their account turns out to be that of somebody else', () => {
  const owned = naming.filter((table) => secret.has(table))
  expectOnlyExceptions(
    'a secret that outlives its person',
    owned
      .filter((table) => !secretsOfPeople.includes(`${table}.user_id`))
      .map((table) => ({
        place: table,
        says: `${table} holds a secret of a person: let its migration say so: protect('${table}', facts => '{"secretOf": "user_id"}')`,
      })),
  )
})

test('so do sessions', () => {
  expect(secretsOfPeople).toEqual(expect.arrayContaining(['sessions.user_id']))
})
