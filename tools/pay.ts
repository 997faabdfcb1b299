import { parseArgs } from 'node:util'
import { readOwnConfig } from '../src/config/own-config.ts'
import { demoProvider } from '../src/plugins/payments/demo-provider.ts'
import { DemoReport } from '../src/plugins/payments/payments.schemas.ts'

/**
 * The payment provider for development: reports of an order to the service that runs here, as badly as it is asked to.
 *
 *   npm run pay -- FV0A1B2C3D4E5F60718293A4B5 paid
 *   npm run pay -- FV0A1B2C3D4E5F60718293A4B5 paid refunded --out-of-order --twice --late 5000 --slow 500
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    late: { type: 'string', default: '0' },
    slow: { type: 'string', default: '0' },
    twice: { type: 'boolean', default: false },
    'out-of-order': { type: 'boolean', default: false },
  },
})
const [order, ...wanted] = positionals
const orderNo = DemoReport.shape.orderNo.safeParse(order)
const reports = DemoReport.shape.status.array().min(1).safeParse(wanted)
if (!orderNo.success || !reports.success) {
  console.error('npm run pay -- ORDER paid|expired|refunded … [--late MS] [--slow MS] [--twice] [--out-of-order]')
  process.exit(2)
}
const config = readOwnConfig(process.env)
const callbackUrl = `${config.publicUrl ?? `http://127.0.0.1:${config.port}`}/api/v1/payments/callback/demo`
if (!config.paymentsDemoSecret) throw new Error('Production has no such provider, unless PAYMENTS_DEMO_SECRET is set')
const provider = demoProvider({ secret: config.paymentsDemoSecret, callbackUrl })
const { late, slow, twice } = values
const manners = { late: Number(late), slow: Number(slow), twice, outOfOrder: values['out-of-order'] }
for (const { report, status } of await provider.report(orderNo.data, reports.data, manners))
  console.log(`${report}: ${status}`)
