import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { openLog } from '../../../log.ts'

const STRIPE_WEBHOOK_SECRET = 'whsec_of_an_account_that_several_installations_use'
const logged: string[] = []
const logger = openLog('warn', { write: (line) => void logged.push(line) })
const world = await openWorld({ env: { STRIPE_WEBHOOK_SECRET }, logger })

function send(type: string, object: object) {
  const payload = JSON.stringify({ type, data: { object } })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', STRIPE_WEBHOOK_SECRET).update(`${t}.${payload}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  return world.anyone.send({ method: 'POST', url: '/api/v1/payments/callback/stripe', headers, payload })
}

test('an event of Stripe may be larger than the form of a stranger', async () => {
  const withLines = (characters: number) => ({ lines: 'x'.repeat(characters) })
  ;(await send('invoice.paid', withLines(200_000))).expect(200)
  ;(await send('invoice.paid', withLines(262_144))).expect(413, 'PAYLOAD_TOO_LARGE')
})

test('an event of Stripe of an order of another installation is taken, and logged', async () => {
  const orderNo = 'FV0123456789ABCDEF01234567'
  for (const [type, object] of [
    ['checkout.session.completed', { client_reference_id: orderNo, payment_status: 'paid' }],
    ['checkout.session.expired', { client_reference_id: orderNo }],
    ['charge.refunded', { metadata: { orderNo }, refunded: true }],
  ] as const) {
    logged.length = 0
    ;(await send(type, object)).expect(200)
    const said = { msg: 'a payment of an unknown order', provider: 'stripe', orderNo }
    // A slow database has lines of its own.
    const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === said.msg)
    expect(lines).toMatchObject([said])
  }
})
