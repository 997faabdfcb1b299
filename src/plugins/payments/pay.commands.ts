import { type CommandLine, type Commands, command, Misunderstood, Refusal } from '#atrium'
import { demoProvider } from './demo-provider.ts'
import { DemoReport } from './payments.schemas.ts'

/** The payment provider for development: reports of an order to the service that runs here. */
export function commands({ config, say }: CommandLine): Commands {
  const pay = command({
    about: 'Report an order to the service that runs here, as a payment provider for development',
    detail:
      'A status is paid, expired or refunded. Real providers report late, twice and out of order, and so can this.',
    operands: ['ORDER', 'STATUS', '[NEXT]'],
    options: {
      late: { type: 'string', value: 'MS', about: 'wait before the first report' },
      slow: { type: 'string', value: 'MS', about: 'wait within the body of each report' },
      twice: { type: 'boolean', about: 'send each report twice' },
      'out-of-order': { type: 'boolean', about: 'send the last report first' },
    },
    async run({ late = '0', slow = '0', twice = false, 'out-of-order': outOfOrder = false }, order, ...wanted) {
      const orderNo = DemoReport.shape.orderNo.safeParse(order)
      const reports = DemoReport.shape.status.array().safeParse(wanted.filter((status) => status !== undefined))
      if (!orderNo.success) throw new Misunderstood(`${order} is not the number of an order.`)
      if (!reports.success) throw new Misunderstood('A status is paid, expired or refunded.')
      const { publicUrl, port, paymentsDemoSecret: secret } = config()
      if (!secret) throw new Refusal('Production has no such provider, unless PAYMENTS_DEMO_SECRET is set.')
      const provider = demoProvider({
        secret,
        callbackUrl: `${publicUrl ?? `http://127.0.0.1:${port}`}/api/v1/payments/callback/demo`,
      })
      const manners = { late: Number(late), slow: Number(slow), twice, outOfOrder }
      for (const { report, status } of await provider.report(orderNo.data, reports.data, manners))
        say(`${report}: ${status}`)
    },
  })
  return { pay }
}
