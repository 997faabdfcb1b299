import { faults, isCommonPassword, sentence, skeletonOf, z } from '#atrium'

const COMMON = sentence('is among the passwords that are tried first')

/** A password that somebody chooses for themselves. It is kept as it is typed: nothing is trimmed. */
export const newPassword = (least: number) =>
  notBlank(z.string().min(least, { abort: true }).max(128)).refine((value) => !isCommonPassword(value), COMMON)

/** One that an administrator sets for another person, who may change it: a common one will do. */
export const notBlank = (password: z.ZodString) =>
  password.refine((value) => value === '' || value.trim() !== '', sentence('must not be blank'))

type Owner = { username: string; email?: string | null | undefined }

/** A password of one's own is not one that everybody tries, nor one's name. @throws VALIDATION_FAILED at `path` */
export function assertChosenWell(password: string, owner: Owner, path: string, tenant: readonly string[]): void {
  if (isCommonPassword(password)) throw faults.validation([{ path, message: COMMON }])
  assertNotName(password, owner, path, tenant)
}

/**
 * A password is neither its owner's name nor their e-mail address, nor how their tenant is called.
 * @param tenant its code and its name, as far as they are known
 * @throws VALIDATION_FAILED at `path`
 */
export function assertNotName(
  password: string,
  { username, email }: Owner,
  path: string,
  tenant: readonly string[] = [],
): void {
  const names = [username, email ?? username, email?.split('@')[0] ?? username, ...tenant]
  if (names.some((name) => skeletonOf(name) === skeletonOf(password)))
    throw faults.validation([
      { path, message: 'must not be the user name, the e-mail address or the name of the tenant' },
    ])
}
