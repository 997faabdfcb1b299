import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '#test/refusal.ts'
import { signWebhook } from '../../../../util/secrets/standard-webhooks.ts'
import { demoCallbacks } from '../../demo-callbacks.ts'
import type { Callback } from '../../provider.ts'
import { stripeCallbacks } from '../../stripe-callbacks.ts'

const ORDER = 'FV0123456789ABCDEF01234567'

/** The example of the specification's reference libraries. */
test('a signature of a Standard Webhook is that of its specification', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' }
  const body = Buffer.from('{"test": 2432232314}')
  expect(signWebhook(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], { ...message, body })).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})

describe('a callback of the development provider', () => {
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const now = new Date('2026-01-01T00:00:00Z')
  const at = (seconds: number) => String(now.getTime() / 1000 + seconds)
  const REPORT = { orderNo: ORDER, status: 'paid', occurredAt: '2026-01-01T00:00:00.000Z' }
  function callback(given: Partial<Record<string, string>> = {}): Callback {
    const { timestamp = at(0), body = JSON.stringify(REPORT), secret = SECRET, ...headers } = given
    const message = { id: 'msg_1', timestamp, body: Buffer.from(body) }
    const signed = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': signWebhook([secret], message),
    }
    return { headers: { ...signed, ...headers }, body: message.body, now }
  }
  const verify = (one: Callback) => demoCallbacks(SECRET).verify(one)

  test('is read if one of its signatures is right, and not older or newer than five minutes', () => {
    const report = { orderNo: ORDER, status: 'paid' }
    expect(verify(callback())).toEqual(report)
    expect(verify(callback({ timestamp: at(-300) }))).toEqual(report)
    expect(verify(callback({ timestamp: at(300) }))).toEqual(report)
    const { headers } = callback()
    expect(verify(callback({ 'webhook-signature': `v1,x v2,y ${headers['webhook-signature']}` }))).toEqual(report)
  })

  test.each([
    ['too old', callback({ timestamp: at(-301) })],
    ['with a time that is none', callback({ timestamp: 'yesterday' })],
    ['of another secret', callback({ secret: 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' })],
    ['without a signature', callback({ 'webhook-signature': '' })],
    ['with another id', callback({ 'webhook-id': 'msg_2' })],
    ['with another body', { ...callback(), body: Buffer.from(JSON.stringify({ ...REPORT, status: 'refunded' })) }],
  ])('%s is refused', (_, one) => {
    expect(refusalOf(() => verify(one))).toMatchObject({ type: 'INVALID_SIGNATURE', status: 401 })
  })
})

describe('a callback of Stripe', () => {
  const SECRET = 'whsec_test_secret_of_atrium'
  const now = new Date(1_767_225_600_000)
  const SESSION = { client_reference_id: ORDER, payment_status: 'paid', amount_total: 29_900, currency: 'cny' }
  const verify = (body: string, header: string, at = now) =>
    stripeCallbacks(SECRET).verify({ headers: { 'stripe-signature': header }, body: Buffer.from(body), now: at })
  const sign = (body: string) =>
    `t=1767225600,v1=${createHmac('sha256', SECRET).update(`1767225600.${body}`).digest('hex')}`
  const told = (type: string, object: object) => {
    const body = JSON.stringify({ type, data: { object } })
    return verify(body, sign(body))
  }

  /** Made by `generateTestHeaderString` of the package stripe 23.1.0, since Stripe documents no vector. */
  const BODY =
    '{"id":"evt_1","object":"event","type":"checkout.session.completed","data":{"object":{"id":"cs_1","object":"checkout.session","client_reference_id":"FV0123456789ABCDEF01234567","payment_status":"paid","amount_total":29900,"currency":"cny"}}}'
  const HEADER = 't=1767225600,v1=3714f54813447140d731a790eeb4c80ac0b4be36155533124173e8152fd34261'

  test('is read as its own library signs it, also beside a signature of a former secret', () => {
    const report = { orderNo: ORDER, status: 'paid', amount: { amountCents: 29_900, currency: 'CNY' } }
    expect(verify(BODY, HEADER)).toEqual(report)
    const [t, v1] = HEADER.split(',')
    expect(verify(BODY, `${t},v1=${'0'.repeat(64)},${v1},v0=6ffbb59b2300`)).toEqual(report)
  })

  test.each([
    ['', now],
    [HEADER.replace('v1=', 'v0='), now],
    [HEADER.replace('t=1767225600', 't=1767225601'), now],
    [HEADER.replace('t=1767225600,', ''), now],
    [HEADER, new Date(now.getTime() + 301_000)],
    [HEADER, new Date(now.getTime() - 301_000)],
  ])('with the signature %j is refused at %s', (header, at) => {
    expect(refusalOf(() => verify(BODY, header, at)).type).toBe('INVALID_SIGNATURE')
  })

  test.each([
    ['checkout.session.completed', SESSION, 'paid'],
    ['checkout.session.completed', { ...SESSION, payment_status: 'unpaid' }, undefined],
    ['checkout.session.async_payment_succeeded', SESSION, 'paid'],
    ['checkout.session.async_payment_failed', SESSION, 'expired'],
    ['checkout.session.expired', SESSION, 'expired'],
    ['charge.refunded', { metadata: { orderNo: ORDER }, refunded: true }, 'refunded'],
    ['charge.refunded', { metadata: { orderNo: ORDER }, refunded: false }, undefined],
    ['customer.created', SESSION, undefined],
    ['checkout.session.completed', { ...SESSION, client_reference_id: 'of somebody else' }, undefined],
  ])('%s of %j says %s', (type, object, status) => {
    expect(told(type, object)?.status).toBe(status)
  })
})
