import type { PaymentStatus } from '#atrium/checkout'

/** A callback as it arrived: its signature covers the bytes of the body. */
export interface Callback {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly now: Date
}

export interface PaymentReport {
  readonly orderNo: string
  readonly status: PaymentStatus
  /** what was paid, if it says so */
  readonly amount?: { readonly amountCents: number; readonly currency: string }
}

export interface PaymentCallbacks {
  /** as the address of its callbacks ends */
  readonly name: string
  /**
   * Whether reports of other installations arrive here too, because they use the same account. A refusal would be sent
   * again for days, and in the end the provider would send nothing any more.
   */
  readonly isShared?: true
  /**
   * Reads a callback.
   * @returns undefined if it is genuine and says nothing of an order
   * @throws INVALID_SIGNATURE, MALFORMED_JSON, VALIDATION_FAILED
   */
  verify(callback: Callback): PaymentReport | undefined
}
