import { faults, isCommonPassword, sentence, skeletonOf, z } from '#atrium'

/** A password that somebody chooses. It is kept as it is typed: nothing is trimmed. */
export const newPassword = (least: number) => fitPassword(z.string().min(least, { abort: true }).max(128))

/** What is sent is neither blanks nor what everybody tries. */
export const fitPassword = (password: z.ZodString) =>
  password
    .refine((value) => value === '' || value.trim() !== '', sentence('must not be blank'))
    .refine((value) => !isCommonPassword(value), sentence('is among the passwords that are tried first'))

/**
 * A password is neither its owner's name nor their e-mail address, nor how their tenant is called.
 * @param tenant its code and its name, as far as they are known
 * @throws VALIDATION_FAILED at `path`
 */
export function assertNotName(
  password: string,
  { username, email }: { username: string; email?: string | null | undefined },
  path: string,
  tenant: readonly string[] = [],
): void {
  const names = [username, email ?? username, email?.split('@')[0] ?? username, ...tenant]
  if (names.some((name) => skeletonOf(name) === skeletonOf(password)))
    throw faults.validation([
      { path, message: 'must not be the user name, the e-mail address or the name of the tenant' },
    ])
}
