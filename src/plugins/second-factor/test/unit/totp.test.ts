import { describe, expect, test } from 'vitest'
import { loadTotp } from '../../totp.ts'

const { urlOf } = await loadTotp()

describe('the address of an authenticator', () => {
  test.each([
    ['Atrium Velora', 'ada', 'Atrium Velora:ada'],
    ['Atrium Co: Sub', 'ada', 'Atrium Co Sub:ada'],
    ['Atrium a:b:c', 'urn:x:ada', 'Atrium abc:urnxada'],
    ['Atrium 100% & Söhne?', 'ada@example.com', 'Atrium 100% & Söhne?:ada@example.com'],
  ])('of %s and %s has one colon, between the two', (issuer, account, label) => {
    const url = new URL(urlOf('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', issuer, account))
    expect(decodeURIComponent(url.pathname)).toBe(`/${label}`)
    expect(url.searchParams.get('issuer')).toBe(label.split(':', 1)[0])
  })
})
