import { describe, expect, test } from 'vitest'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import {
  type Built,
  findChangesWithoutId,
  findChangesWithoutVersion,
  findOrdersWithoutTieBreaker,
  findSecretsRead,
  findTablesInRawSql,
  findUnboundedLists,
} from '../support/mistakes/statements.ts'
import { listSent, tableNames } from '../support/statements.ts'

/**
 * What every statement has to say, held on the SQL that is sent. `statements.sql` shows a reviewer each change; these
 * rules say what is wrong with one. What breaks a rule and is right is in `exceptions.json`, with its reason.
 */
const built: Built[] = (await listSent()).map(({ statement: { name, verb }, prepared: { intent = 'read', text } }) => ({
  name,
  verb,
  intent,
  text,
}))
const select = (rest: string, verb = 'list'): Built => ({
  name: 'hats.x',
  verb,
  intent: 'read',
  text: `select "hats"."id" from "hats" where "hats"."tenant_id" = $1${rest}`,
})
const change = (text: string, verb = 'write'): Built => ({ name: 'hats.x', verb, intent: 'write', text })
const UPDATE = 'update "hats" set "size" = $1 where "hats"."tenant_id" = $2'

describe('a list without a bound', () => {
  test('is nowhere, but for those that something else bounds', () =>
    expectOnlyExceptions('a list without a bound', findUnboundedLists(built)))

  test('is named; a bound of a subquery is none of the list', () => {
    const inner = ' and "hats"."id" in (select "id" from "boxes" limit $2)'
    expect(findUnboundedLists([select(inner)])).toEqual([
      {
        place: 'hats.x',
        says: 'hats.x returns as many rows as there are: end it with .limit(), or make it a page with paginate',
      },
    ])
    expect(findUnboundedLists([select(' limit $2'), select('', 'find')])).toEqual([])
  })
})

describe('an order in which two rows can be equal', () => {
  test('is nowhere', () => expectOnlyExceptions('an order without a tie-breaker', findOrdersWithoutTieBreaker(built)))

  test('is named', () => {
    const [breach] = findOrdersWithoutTieBreaker([select(' order by "hats"."created_at" desc limit $2')])
    expect(breach!.says).toContain('is ordered by "hats"."created_at" desc, in which rows can be equal')
    const fine = select(' order by "hats"."created_at" desc, "hats"."id" desc limit $2')
    expect(findOrdersWithoutTieBreaker([fine])).toEqual([])
  })
})

describe('a change whose WHERE names no id', () => {
  test('is nowhere, but for those of a whole', () =>
    expectOnlyExceptions('a change without an id', findChangesWithoutId(built)))

  test.each([
    ['is named', `${UPDATE} and "hats"."version" = $3`, 1],
    ['with the id in one side of an OR is named', `${UPDATE} and ("hats"."id" = $3 or "hats"."size" = $4)`, 1],
    ['with its id is right', `${UPDATE} and "hats"."id" = $3`, 0],
    ['in a WITH is named', `with "kept" as (${UPDATE} returning 1) select 1 / count(*)`, 1],
  ])('%s', (_, text, times) => expect(findChangesWithoutId([change(text)])).toHaveLength(times))
})

describe('a change of what was read without a lock, without the version that was read', () => {
  test('is nowhere', () => expectOnlyExceptions('a change without its version', findChangesWithoutVersion(built)))

  test('is named', () => {
    const saved = (rest: string) =>
      change(`with "kept" as (${UPDATE} and "hats"."id" = $3${rest} returning 1) select 1`, 'updateIfUnchanged')
    expect(findChangesWithoutVersion([saved('')])).toHaveLength(1)
    expect(findChangesWithoutVersion([saved(' and "hats"."version" = $4')])).toEqual([])
  })
})

describe('a table that a sql template names', () => {
  test('is nowhere', () => expectOnlyExceptions('a table in a sql template', findTablesInRawSql(built, tableNames)))

  test('is named', () => {
    const tables = new Set(['boxes'])
    const raw = select(' and exists (select from boxes where boxes.id = hats.box_id)')
    expect(findTablesInRawSql([raw], tables)[0]!.says).toContain("build it by from('boxes')")
    expect(findTablesInRawSql([select(' and extract(epoch from boxes.made_at) > $2')], tables)).toEqual([])
  })
})

describe('a secret that a statement reads', () => {
  test('is read where a person signs in or changes it, and nowhere else', () =>
    expectOnlyExceptions('a secret that is read', findSecretsRead(built)))

  test('is named', () => {
    const text = 'select "users"."id", "users"."password_hash" from "users" where "users"."tenant_id" = $1'
    expect(findSecretsRead([{ ...select(''), text }])[0]!.says).toContain('reads users.password_hash, a secret')
    const compared = 'select "users"."id" from "users" where "users"."password_hash" = $1'
    expect(findSecretsRead([{ ...select(''), text: compared }])).toEqual([])
  })
})
