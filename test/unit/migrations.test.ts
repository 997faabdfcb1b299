import { describe, expect, test } from 'vitest'
import { isOutsideTransaction, statementsOf } from '../../src/data/setup/migrations.ts'
import { serviceRoleOf, standingOf } from '../../src/data/setup/service-role.ts'

test('a file runs outside of a transaction where its first line says so, and nowhere else', () => {
  expect(isOutsideTransaction('-- atrium: no transaction\nselect 1;')).toBe(true)
  expect(isOutsideTransaction('-- atrium: no transaction')).toBe(true)
  expect(isOutsideTransaction('-- About something.\n-- atrium: no transaction\nselect 1;')).toBe(false)
  expect(isOutsideTransaction('-- atrium: no transactions are needed')).toBe(false)
})

test('such a file is taken apart at the semicolons that end a line', () => {
  expect(statementsOf("-- why\ndrop index a;\n\ncreate index a on b (c) where d = ';x' ;  \n-- the end\n")).toEqual([
    '-- why\ndrop index a',
    "create index a on b (c) where d = ';x'",
  ])
  expect(statementsOf('do $$ begin\n  perform 1;\n  commit;\nend $$;\nselect 1;\n')).toEqual([
    'do $$ begin\n  perform 1;\n  commit;\nend $$',
    'select 1',
  ])
})

describe('the role of the service', () => {
  test('is named by its database, within what PostgreSQL keeps of a name', () => {
    expect(serviceRoleOf('shop')).toBe('atrium_service_shop')
    const long = [1, 2].map((n) => serviceRoleOf(`${'é'.repeat(30)}${n}`))
    for (const name of long) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63)
    expect(new Set(long).size).toBe(2)
  })

  const facts = {
    ...{ user: 'me', database: 'shop', role: 'atrium_service_shop', superuser: false, mayCreate: false },
    ...{ begun: false, exists: false, passesBy: false, mayEnter: false, mayGrant: false },
  }
  test.each([
    ['made by who may', { mayCreate: true }, { first: 'create', asOwner: false }],
    ['granted by who may', { exists: true, mayGrant: true }, { first: 'grant', asOwner: false }],
    ['entered by who may', { exists: true, mayEnter: true }, { first: 'nothing', asOwner: false }],
    [
      'done without by a plain owner',
      {},
      { role: 'me', asOwner: true, advice: expect.stringMatching(/^create role .*; grant/) },
    ],
    [
      'done without if it is not ours',
      { exists: true },
      { role: 'me', asOwner: true, advice: expect.stringMatching(/^grant/) },
    ],
    [
      'missed where the tables were granted to it',
      { begun: true, exists: true },
      { problem: expect.stringContaining('may not become') },
    ],
    [
      'the owner for good, if it began so',
      { begun: true, role: 'me', exists: true, mayEnter: true },
      { role: 'me', asOwner: true },
    ],
    [
      'missed where a superuser restored without it',
      { begun: true, role: 'root', exists: true, passesBy: true, mayEnter: true },
      { problem: expect.stringContaining('restored without') },
    ],
  ])('is %s', (_, more, expected) => {
    expect(standingOf({ ...facts, ...more })).toMatchObject(expected)
  })
})
