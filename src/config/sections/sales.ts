import { plans, renewals, webhookSecret } from '../kinds.ts'
import { env } from '../variable.ts'

const SECRET = { hidden: 'whole' } as const

/** What the operator sells to tenants, and how it is paid. */
export const sales = {
  renewals: env(
    'RENEWALS',
    renewals.optional(),
    'the price of another period of each plan, JSON such as {"team":{"amountCents":29900,"days":365}}; by default tenants cannot order a renewal',
  ),
  plans: env(
    'PLANS',
    plans.optional(),
    'what each plan allows, JSON such as {"team":{"people":50,"projects":20,"fileBytes":10000000000,"webhooks":5,"requestsPerMinute":6000}}; what is missing is unlimited',
  ),
  paymentsDemoSecret: env(
    'PAYMENTS_DEMO_SECRET',
    webhookSecret.optional(),
    'signs the callbacks of the payment provider for development (whsec_…); by default derived from the development secret, in production that provider is off; anyone who has it can mark orders as paid',
    SECRET,
  ),
  stripeWebhookSecret: env(
    'STRIPE_WEBHOOK_SECRET',
    webhookSecret.optional(),
    'the signing secret of the Stripe endpoint that calls /api/v1/payments/callback/stripe (whsec_…)',
    SECRET,
  ),
}
