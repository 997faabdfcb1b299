import { fault, faults, isSameHash, notFound, violationsOf, type z } from '#atrium'
import type { Callback, PaymentReport } from './provider.ts'

export const paymentFaults = {
  providerNotFound: notFound('Payment provider'),
  invalidSignature: fault('INVALID_SIGNATURE', 401, 'The signature is not valid'),
  amountDiffers: fault('AMOUNT_DIFFERS', 409, 'The amount is not that of the order'),
}

/** How far the time of a signature may be from ours, so that a recorded callback cannot be sent again later. */
const TOLERANCE_SECONDS = 300

/** @param timestamp of the signature, in seconds as the header has it @throws INVALID_SIGNATURE */
export function assertRecent(timestamp: string | undefined, now: Date): void {
  const isNumber = timestamp !== undefined && /^\d{1,12}$/.test(timestamp)
  if (!isNumber || Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw paymentFaults.invalidSignature()
}

/** One of the signatures must be the expected one; all are compared in the same time. @throws INVALID_SIGNATURE */
export function assertSigned(signatures: readonly string[], expected: string): void {
  if (!signatures.some((one) => isSameHash(one, expected))) throw paymentFaults.invalidSignature()
}

/** @throws AMOUNT_DIFFERS if something else was paid than the order says */
export function assertAmount(order: Amount, paid: Amount): void {
  if (order.amountCents !== paid.amountCents || order.currency !== paid.currency) throw paymentFaults.amountDiffers()
}
type Amount = NonNullable<PaymentReport['amount']>

/** The only value of a header; undefined if there is none. */
export function headerOf({ headers }: Callback, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

/** Reads the body of a genuine callback. @throws MALFORMED_JSON, VALIDATION_FAILED */
export function read<Shape extends z.ZodType>(schema: Shape, body: Buffer): z.output<Shape> {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    throw faults.malformedJson()
  }
  const { data, error } = schema.safeParse(value)
  if (error) throw faults.validation(violationsOf('body', value, error.issues))
  return data as z.output<Shape>
}
