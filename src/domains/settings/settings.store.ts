import { writeReturning } from '#atrium'

/** Notes that a notice is sent; touches nothing if it was sent before. */
export const noteNotice = writeReturning(({ insert }, p: { expiredAt: string; days: number; createdAt: string }) =>
  insert('expiryNotices', p).onConflict((conflict) => conflict.columns(['tenantId', 'expiredAt', 'days']).doNothing()),
)
