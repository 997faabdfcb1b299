import { z } from 'zod'
import { pageOf, pageQuery } from '../../kernel/page.ts'
import { sentence } from '../../kernel/sentence.ts'
import { Keyword, keptText, optionalText, text } from '../../kernel/zod.ts'
import { UserStatus, UserView } from '../people/people.schemas.ts'
import { idSetOf } from '../roles/roles.schemas.ts'

const email = optionalText(128).refine(
  (value) => !value || z.email().safeParse(value).success,
  sentence('must be an e-mail address'),
)

const LEAST = 6
/** Passwords are kept as they are typed: nothing is trimmed. */
const password = z.string().min(LEAST).max(128)
/** Edit forms send an empty password when it stays. */
const newPassword = z
  .string()
  .max(128)
  .refine((value) => value === '' || value.length >= LEAST, {
    error: sentence('must have no fewer than {minimum} characters'),
    params: { minimum: LEAST },
  })
  .nullish()
  .transform((value) => value || undefined)

const contact = {
  nickname: keptText(64),
  email,
  phone: optionalText(32),
  realName: optionalText(64),
}

export const UserDraft = z
  .object({
    username: text(64),
    password,
    ...contact,
    roleIds: idSetOf('roles'),
    status: UserStatus.default('active'),
  })
  .meta({ id: 'UserDraft' })
export type UserDraft = Omit<z.output<typeof UserDraft>, 'password'>

export const UserPatch = z
  .object({
    password: newPassword,
    currentPassword: z.string().max(128).nullish().describe('Needed to change a password of one’s own'),
    ...contact,
    roleIds: idSetOf('roles'),
    status: UserStatus.optional(),
  })
  .meta({ id: 'UserPatch' })
export type UserPatch = Omit<z.output<typeof UserPatch>, 'password' | 'currentPassword'>

export const UserQuery = pageQuery({ keyword: Keyword, status: UserStatus.optional() })

export const UserPage = pageOf(UserView).meta({ id: 'UserPage' })
