import { z } from 'zod'
import { pageOf, pageQuery } from '../../kernel/page.ts'
import { sentence } from '../../kernel/sentence.ts'
import { Id, Keyword, optionalText, text, view } from '../../kernel/zod.ts'

const status = z.enum(['active', 'disabled']).meta({ id: 'UserStatus' })
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

const MOST_IDS = 1000

/** A set of ids that replaces the one there is; absent, nothing changes. */
export const IdSet = z
  .array(Id)
  .max(MOST_IDS)
  .nullish()
  .transform((ids) => (ids ? [...new Set(ids)] : undefined))

const contact = {
  nickname: optionalText(64),
  email,
  phone: optionalText(32),
  realName: optionalText(64),
}

export const UserDraft = z
  .object({
    username: text(64),
    password,
    ...contact,
    roleIds: IdSet,
    status: status.default('active'),
  })
  .meta({ id: 'UserDraft' })
export type UserDraft = Omit<z.output<typeof UserDraft>, 'password'>

export const UserPatch = z
  .object({ password: newPassword, ...contact, roleIds: IdSet, status: status.optional() })
  .meta({ id: 'UserPatch' })
export type UserPatch = Omit<z.output<typeof UserPatch>, 'password'>

export const UserQuery = pageQuery({ keyword: Keyword, status: status.optional() })

export const UserView = z
  .object({
    id: view.id,
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    phone: view.maybeText,
    realName: view.maybeText,
    status,
    roles: z.array(z.string()),
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({ id: 'User' })
export type UserView = z.output<typeof UserView>

export const UserPage = pageOf(UserView).meta({ id: 'UserPage' })

export const DirectoryEntry = z
  .object({ id: view.id, username: view.text, nickname: view.maybeText })
  .meta({ id: 'DirectoryEntry' })
