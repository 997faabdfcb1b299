import { expect, test } from 'vitest'
import { sendsLinks } from '../../../../domains/links/links.rules.ts'
import { mostOfNetwork } from '../../account.rules.ts'
import '../../../../../test/support/domains.ts'

test('a network may ask for 20 new passwords an hour if an account may for 3', () => {
  expect([0, 1, 3, 10].map(mostOfNetwork)).toEqual([0, 7, 20, 67])
})

test('links are mailed by a service that sends mail and knows its own address', () => {
  const at = { accountUrl: undefined, publicUrl: undefined, production: true, port: 8080 }
  const known = { ...at, publicUrl: 'https://atrium.example' }
  expect(sendsLinks({ ...at, mailUrl: 'smtp://mail' })).toBe(false)
  expect(sendsLinks({ ...known, mailUrl: 'smtp://mail' })).toBe(true)
  expect(sendsLinks({ ...known, mailUrl: undefined })).toBe(false)
})
