import { describe, expect, test } from 'vitest'
import { schemaTypes } from '../support/domains.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { findSecretsThatLeave } from '../support/mistakes/secrets.ts'
import { tableFacts, tablesIn } from '../support/schema-text.ts'
import { SEALED } from '../support/sealed.ts'
import { HASHES, TAKEN_ALONG } from '../support/secret-columns.ts'

const secrets = [...SEALED, ...HASHES]
const columns = [...tablesIn(schemaTypes)].flatMap(([table, names]) => names.map((name) => `${table}.${name}`))

describe('a column that sounds like a secret', () => {
  test('stays behind when the data of its tenant leave', () => {
    expectOnlyExceptions('a column that sounds like a secret', findSecretsThatLeave(columns, staysBehind))
    expect([...secrets, ...TAKEN_ALONG].filter((column) => !columns.includes(column))).toEqual([])
  })

  test.each([
    'door_codes.pin',
    'door_codes.code',
    'rooms.door_code',
    'members.passphrase',
    'webhooks.sealed',
    'hats.key_hash',
  ])('is named: %s', (column) => {
    expect(findSecretsThatLeave([column], () => false).map(({ says }) => says)).toEqual([
      `${column} sounds like a secret and leaves with the data of its tenant: let its migration keep it back: protect('${column.split('.')[0]}', facts => '{"withheld": true}')`,
    ])
    expect(findSecretsThatLeave([column], () => true)).toEqual([])
  })

  test.each(['departments.code', 'rooms.number', 'hats.pinned', 'doors.opening_hours'])('is not %s', (column) => {
    expect(findSecretsThatLeave([column], () => false)).toEqual([])
  })
})

test('a secret stays behind when the data of a tenant leave', () => {
  expect(secrets.filter((column) => !staysBehind(column))).toEqual([])
})

test('the columns are those of the generated types', () => {
  expect(columns.length).toBeGreaterThan(300)
  const boxes = 'export interface HatBoxesTable {\n  tenantId: number\n  keyHash: string\n}\n'
  expect([...tablesIn(boxes)]).toEqual([['hat_boxes', ['tenant_id', 'key_hash']]])
})

/** Whether an export leaves it out. */
function staysBehind(place: string): boolean {
  const [table, column] = place.split('.') as [string, string]
  const { withheld } = tableFacts.get(table) ?? {}
  return withheld === true || (typeof withheld === 'object' && withheld.columns?.includes(column) === true)
}
