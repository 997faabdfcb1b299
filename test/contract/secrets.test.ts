import { expect, test } from 'vitest'
import { withheldOf } from '../../src/data/archive/withheld.ts'
import { domains, schemaTypes } from '../support/domains.ts'
import { expectNone } from '../support/expect-none.ts'
import { HASHES, TAKEN_ALONG } from '../support/secret-columns.ts'

const NO_SECRETS: Record<string, string> = {
  'approvals.business_key': 'what the applicant calls the request',
  'audit_operations.key_prefix': 'the public beginning of a key',
  'idempotency_keys.key': 'a client draws it for each command',
  'identity_providers.password_sign_in': 'a setting',
  'mails.key': 'the Message-ID',
  'sessions.opened_with': 'a word',
  'tenants.first_password': 'a setting',
  'tenants.password_min_length': 'a setting',
  'users.email_key': 'the address in lower case',
  'users.must_change_password': 'a duty',
  'visitor_keys.key': 'a visitor draws it for each command',
}
const SOUNDS_SECRET = /secret|token|hash|sealed|password|cipher|salt|nonce|verifier|signature|otp|mark$|(^|_)key/

const sealed = domains.flatMap(({ sealed = [] }) => sealed.map(({ column }) => column as string))
const secrets = [...sealed, ...HASHES]
const columns = columnsIn(schemaTypes)

test('a column that sounds like a secret is declared as one, or named as none with the reason', () => {
  const named = [...secrets, ...TAKEN_ALONG, ...Object.keys(NO_SECRETS)]
  const unnamed = columns.filter((column) => SOUNDS_SECRET.test(column.split('.')[1]!) && !named.includes(column))
  expectNone(
    unnamed.map(
      (column) =>
        `${column} sounds like a secret: let its domain declare it as sealed, or name it in test/support/secret-columns.ts if it is a hash; if it is no secret, name it here with the reason`,
    ),
  )
  expect(named.filter((column) => !columns.includes(column))).toEqual([])
  expect(new Set(named).size).toBe(named.length)
})

test('a secret stays behind when the data of a tenant leave', () => {
  const leaving = secrets.filter((place) => {
    const [table, column] = place.split('.') as [string, string]
    const { rows, columns } = withheldOf(table)
    return rows !== true && !columns.includes(column)
  })
  expect(leaving).toEqual([])
})

test('the columns are those of the generated types', () => {
  expect(columns.length).toBeGreaterThan(300)
  expect(columnsIn('export interface HatBoxesTable {\n  tenantId: number\n  keyHash: string\n}\n')).toEqual([
    'hat_boxes.tenant_id',
    'hat_boxes.key_hash',
  ])
})

/** `api_keys.key_hash`, of each interface of a table. */
function columnsIn(types: string): string[] {
  return [...types.matchAll(/^export interface (\w+)Table \{\n([\s\S]*?)^\}/gm)].flatMap(([, table, body]) =>
    [...body!.matchAll(/^ {2}(\w+):/gm)].map(([, column]) => `${snake(table!)}.${snake(column!)}`),
  )
}
function snake(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, '_$&').toLowerCase()
}
