import { describe, expect, test } from 'vitest'
import { withheldOf } from '../../src/data/archive/withheld.ts'
import { domains, schemaTypes } from '../support/domains.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { findSecretsThatLeave } from '../support/mistakes/secrets.ts'
import { HASHES, TAKEN_ALONG } from '../support/secret-columns.ts'

const sealed = domains.flatMap(({ sealed = [] }) => sealed.map(({ column }) => column as string))
const secrets = [...sealed, ...HASHES]
const columns = columnsIn(schemaTypes)

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
      `${column} sounds like a secret and leaves with the data of its tenant: let its domain seal it (sealed) or keep it back (withholds)`,
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
  expect(columnsIn('export interface HatBoxesTable {\n  tenantId: number\n  keyHash: string\n}\n')).toEqual([
    'hat_boxes.tenant_id',
    'hat_boxes.key_hash',
  ])
})

/** Whether an export leaves it out. */
function staysBehind(place: string): boolean {
  const [table, column] = place.split('.') as [string, string]
  const { rows, columns } = withheldOf(table)
  return rows === true || columns.includes(column)
}

/** `api_keys.key_hash`, of each interface of a table. */
function columnsIn(types: string): string[] {
  return [...types.matchAll(/^export interface (\w+)Table \{\n([\s\S]*?)^\}/gm)].flatMap(([, table, body]) =>
    [...body!.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => `${snake(table!)}.${snake(column!)}`),
  )
}
function snake(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
}
