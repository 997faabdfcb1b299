import { faults, isCommonPassword, sentence, skeletonOf, z } from '#atrium'

const COMMON = sentence('is among the passwords that are tried first')

/** A password that a person chooses for themselves. It is never trimmed. */
export const newPassword = (least: number) =>
  notBlank(z.string().min(least, { abort: true }).max(128)).refine((value) => !isCommonPassword(value), COMMON)

/** A password that an administrator sets for another person, who may change it. It may be common. */
export const notBlank = (password: z.ZodString) =>
  password.refine((value) => value === '' || value.trim() !== '', sentence('must not be blank'))

type Owner = { username: string; email?: string | null | undefined }

/** A chosen password is neither common nor the person's name. @throws VALIDATION_FAILED at `path` */
export function assertChosenWell(password: string, owner: Owner, path: string, tenant: readonly string[]): void {
  if (isCommonPassword(password)) throw faults.validation([{ path, message: COMMON }])
  assertNotName(password, owner, path, tenant)
}

/**
 * A password is neither its owner's name or e-mail address nor their tenant's name or code.
 * @param tenant its code and name, if known
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
