import { expect, test } from 'vitest'
import { asView, newOrder } from '../../src/domains/checkout/checkout.rules.ts'
import { defaultPortal as defaultPortalIn } from '../../src/domains/portal/default-portal.ts'
import { checkSection } from '../../src/domains/portal/portal.rules.ts'
import { SECTION_NAMES } from '../../src/domains/portal/portal.schemas.ts'
import { refusalOf } from '../support/refusal.ts'

const defaultPortal = defaultPortalIn('en')

const plans = defaultPortal.pricing
const NOW = '2026-11-21T23:50:00.000Z'
const random = Buffer.from('00ff10abcdef0123456789ab', 'hex')

test('an order takes the price of its plan, a number from the dice and a quarter of an hour', () => {
  expect(newOrder(9, plans, { planId: 3, channel: 'wechat' }, NOW, random)).toEqual({
    id: 9,
    orderNo: 'FV00FF10ABCDEF0123456789AB',
    planId: 3,
    renewalDays: null,
    planName: 'Business',
    amountCents: 99_900,
    currency: 'CNY',
    channel: 'wechat',
    createdAt: NOW,
    expiresAt: '2026-11-22T00:05:00.000Z',
  })
})

test.each([1, 4, 5])('plan %i cannot be paid', (planId) => {
  expect(refusalOf(() => newOrder(9, plans, { planId, channel: 'card' }, NOW, random)).type).toBe('PLAN_NOT_PAYABLE')
})

test('a view says where to pay, and whether it is too late', () => {
  expect(asView({ orderNo: 'FV1', isPaid: false, expired: false })).toEqual({
    orderNo: 'FV1',
    status: 'pending',
    checkoutUrl: '/payment/demo/FV1',
  })
  expect(asView({ orderNo: 'FV1', isPaid: false, expired: true }).status).toBe('expired')
  expect(asView({ orderNo: 'FV1', isPaid: true, expired: true }).status).toBe('paid')
})

test.each(SECTION_NAMES)('the default %s is what the section may be', (section) => {
  expect(checkSection(section, defaultPortal[section])).toEqual(defaultPortal[section])
})
