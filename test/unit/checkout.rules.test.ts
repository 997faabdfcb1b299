import { describe, expect, test } from 'vitest'
import {
  asView,
  isNews,
  newOrder,
  type PaymentStatus,
  type Reported,
} from '../../src/domains/checkout/checkout.rules.ts'
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

test('a view says where to pay', () => {
  expect(asView({ orderNo: 'FV1' })).toEqual({ orderNo: 'FV1', checkoutUrl: '/payment/demo/FV1' })
})

const REPORTS = ['paid', 'expired', 'refunded'] as const
const NOTHING = { paidAt: null, expiredAt: null, refundedAt: null }

/** What is known of an order after some reports, and which of them counted. */
function orderAfter(reports: readonly PaymentStatus[]) {
  const order: Reported = { ...NOTHING }
  const counted = reports.filter((report) => {
    if (!isNews(order, report)) return false
    order[`${report}At`] = NOW
    return true
  })
  return { order, counted }
}

describe('reports of a payment', () => {
  test.each([
    [[], 'paid', true],
    [[], 'expired', true],
    [[], 'refunded', true],
    [['paid'], 'paid', false],
    [['paid'], 'expired', false],
    [['paid'], 'refunded', true],
    [['expired'], 'paid', true],
    [['expired'], 'expired', false],
    [['expired'], 'refunded', true],
    [['refunded'], 'paid', false],
    [['refunded'], 'expired', false],
    [['refunded'], 'refunded', false],
  ] as const)('after %j, that it is %s counts: %s', (before, report, counts) => {
    expect(isNews(orderAfter(before).order, report)).toBe(counts)
  })

  test('count once each, and a refund is the last, whatever comes late, twice and out of order', () => {
    const sequences = (length: number): PaymentStatus[][] =>
      length === 0 ? [[]] : sequences(length - 1).flatMap((some) => REPORTS.map((one) => [...some, one]))
    for (const reports of sequences(5)) {
      const { counted } = orderAfter(reports)
      expect(new Set(counted).size).toBe(counted.length)
      if (reports.includes('refunded')) expect(counted.at(-1)).toBe('refunded')
      else if (reports.includes('paid')) expect(counted.at(-1)).toBe('paid')
    }
  })
})

test.each(SECTION_NAMES)('the default %s is what the section may be', (section) => {
  expect(checkSection(section, defaultPortal[section])).toEqual(defaultPortal[section])
})
