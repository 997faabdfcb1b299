import { describe, expect, test } from 'vitest'
import { accountLink } from '../../links.rules.ts'

const at = { accountUrl: undefined, publicUrl: undefined, production: true, port: 8080 }

describe('a link to one of the pages', () => {
  test('leads to the pages of a front end, else to those of the service', () => {
    const publicUrl = 'https://atrium.example/api-of-ours/'
    expect(accountLink({ ...at, publicUrl }, 'password', '1.abc')).toBe(
      'https://atrium.example/api-of-ours/account/password#token=1.abc',
    )
    expect(accountLink({ ...at, publicUrl, accountUrl: 'https://app.example/me/' }, 'email', '1.abc')).toBe(
      'https://app.example/me/email#token=1.abc',
    )
    expect(accountLink({ ...at, production: false, port: 9000 }, 'invitation', '1.abc')).toBe(
      'http://localhost:9000/account/invitation#token=1.abc',
    )
  })

  test('is not made in production without an address, except for the caller who can be shown theirs', () => {
    expect(accountLink(at, 'password', '1.abc')).toBeUndefined()
    expect(accountLink(at, 'invitation', '1.abc', 'https://seen.example')).toBe(
      'https://seen.example/account/invitation#token=1.abc',
    )
    const known = { ...at, publicUrl: 'https://atrium.example' }
    expect(accountLink(known, 'invitation', '1.abc', 'https://forged.example')).toBe(
      'https://atrium.example/account/invitation#token=1.abc',
    )
  })
})
