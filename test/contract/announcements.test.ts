import { test } from 'vitest'
import type { Announcement } from '../../src/data/wire/announcements.ts'
import type { PageRequest } from '../../src/kernel/page.ts'
import { eavesdropper } from '../support/eavesdropper.ts'
import { expectOnlyExceptions } from '../support/exceptions.ts'
import { listStatements } from '../support/statements.ts'

/** Tables of which something is remembered outside the database, and what a change of them has to announce. */
const REMEMBERED: Record<string, string[]> = {
  users: ['user'],
  user_roles: ['user'],
  api_keys: ['user'],
  system_administrator: ['user'],
  sessions: ['session', 'user'],
  roles: ['roles'],
  role_permissions: ['roles'],
  permissions: ['permissions'],
  tenants: ['tenant'],
  articles: ['content'],
  categories: ['content'],
  comments: ['content'],
  portal_sections: ['content'],
}

/** Also if it follows a `with`, as in a change of a row that must be unchanged. */
const CHANGE = /\b(?:insert into|update|delete from) "(\w+)"/

const page: PageRequest = { limit: 20, before: undefined, counted: false }
const { tx, heard } = eavesdropper(42)
const changes = listStatements().flatMap(({ name, call, shapes: [shape] }) => {
  void call(tx, shape!, page)
  return heard.splice(0).flatMap(({ prepared, terms }) => {
    const table = prepared.intent === 'write' && CHANGE.exec(prepared.text)?.[1]
    return table && REMEMBERED[table] ? { name, table, announces: terms?.announces } : []
  })
})
const kindOf = (announcement: Announcement) =>
  typeof announcement === 'object' ? Object.keys(announcement)[0]! : announcement

const isOf = (table: string, one: Announcement) => REMEMBERED[table]!.includes(kindOf(one))

test('every statement that changes what others remember announces it after its commit', () => {
  expectOnlyExceptions(
    'a change that announces nothing',
    changes
      .filter(({ table, announces }) => !announces?.some((one) => isOf(table, one)))
      .map(({ name, table }) => ({
        place: name,
        says: `${name} writes ${table}: its verb has to announce ${REMEMBERED[table]!.join(' or ')}`,
      })),
  )
})
