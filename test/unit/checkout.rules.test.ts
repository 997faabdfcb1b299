import { expect, test } from 'vitest'
import { isNews } from '../../src/domains/checkout/checkout.rules.ts'

const NOW = '2026-11-21T23:50:00.000Z'

/** What counts of the next report, by what is known of the order. */
test.each([
  [[], ['paid', 'expired', 'refunded']],
  [['paid'], ['refunded']],
  [['expired'], ['paid', 'refunded']],
  [['paid', 'expired'], ['refunded']],
  [['refunded'], []],
  [['paid', 'refunded'], []],
  [['expired', 'refunded'], []],
])('of an order that is %j, the reports that count are %j', (known, counting) => {
  const at = (status: string) => (known.includes(status) ? NOW : null)
  const order = { paidAt: at('paid'), expiredAt: at('expired'), refundedAt: at('refunded') }
  const reports = ['paid', 'expired', 'refunded'] as const
  expect(reports.filter((report) => isNews(order, report))).toEqual(counting)
})
