import { writeReturning } from '#atrium'

/** Records that a notice is sent; does nothing if it was sent before. */
export const noteNotice = writeReturning(({ insert }, p: { expiredAt: string; days: number; createdAt: string }) =>
  insert('expiryNotices', p).onConflict((conflict) => conflict.columns(['tenantId', 'expiredAt', 'days']).doNothing()),
)
