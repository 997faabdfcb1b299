import { expect, test } from 'vitest'
import { mayMake } from '../support/callers.ts'

/** To delete a thing that only its maker may delete, the caller has to have made it. */
test.each([
  ['user', 'tasks', true],
  ['user', 'comments', true],
  ['user', 'roles', false],
  ['tenant-admin', 'roles', true],
  ['tenant-admin', 'tenants', false],
  ['anonymous', 'roles', true],
] as const)('for the table of access a caller %s makes %s themselves: %s', (name, kind, isTheirs) => {
  expect(mayMake(name, kind)).toBe(isTheirs)
})
