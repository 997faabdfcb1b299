import {
  idInPathOf,
  inOneLine,
  Keyword,
  keptText,
  Locale,
  optionalText,
  pageOf,
  sentence,
  sortedBy,
  TimeZone,
  Version,
  view,
  walkedPageQuery,
  z,
} from '#atrium'
import { isFileKey } from '#atrium/files'
import { Nickname, notBlank, Username, UserStatus, UserView } from '#atrium/people'
import { idSetOf } from '#atrium/roles'

const email = optionalText(128).refine(
  (value) => !value || z.email().safeParse(value).success,
  sentence('must be an e-mail address'),
)

const LEAST = 6
const password = notBlank(z.string().min(LEAST, { abort: true }).max(128)).describe(
  'At least six characters; the person can choose a better one',
)
/** Edit forms send an empty password if it stays. */
const replacement = notBlank(
  z
    .string()
    .max(128)
    .refine((value) => value === '' || value.length >= LEAST, {
      error: sentence('must have no fewer than {minimum} characters'),
      params: { minimum: LEAST },
      abort: true,
    }),
)
  .nullish()
  .transform((value) => value || undefined)

const contact = {
  nickname: Nickname,
  email,
  phone: inOneLine(keptText(32)),
  realName: inOneLine(keptText(64)),
}

export const UserDraft = z
  .object({
    username: Username,
    password,
    ...contact,
    roleIds: idSetOf('roles'),
    status: UserStatus.default('active'),
    mustChangePassword: z
      .boolean()
      .optional()
      .describe('The user can do nothing else before; without it, the setting `firstPassword` of the tenant decides'),
  })
  .meta({ id: 'UserDraft' })
export type UserDraft = Omit<z.output<typeof UserDraft>, 'password'>

export const RestorationDraft = z
  .object({ username: Username, password, nickname: Nickname, email })
  .meta({ id: 'RestorationDraft', examples: [{ nickname: 'Ada', email: 'ada@example.com' }] })
export type RestorationDraft = Omit<z.output<typeof RestorationDraft>, 'password'>

export const UserPatch = z
  .object({
    password: replacement,
    currentPassword: z.string().max(128).nullish().describe('Needed to change your own password or e-mail'),
    ...contact,
    roleIds: idSetOf('roles'),
    status: UserStatus.optional(),
    selfRegistered: z
      .boolean()
      .optional()
      .describe('`false` clears the mark of a person who registered themselves; nobody can be given it')
      .meta({ examples: [false] }),
    version: Version.optional().describe('The version that was read. With an older one nothing is changed'),
  })
  .meta({ id: 'UserPatch' })
export type UserPatch = Omit<z.output<typeof UserPatch>, 'password' | 'currentPassword' | 'version'>

/** What of the notifications a person gets by mail. */
const MailSetting = z.enum(['at_once', 'daily', 'never']).meta({ id: 'MailSetting' })

export const ProfilePatch = z
  .object({
    ...contact,
    locale: Locale.nullable().optional().describe('The language of mail; null stands for that of the tenant'),
    timeZone: TimeZone.nullable().optional().describe('null stands for that of the tenant'),
    mail: MailSetting.optional().describe('How notifications are mailed to a verified address; `daily` at 08:00'),
    avatarKey: optionalText(64)
      .refine((key) => !key || isFileKey(key), sentence('must be the key of a file'))
      .describe('The `key` of an image that the person has uploaded; it becomes public'),
    currentPassword: z.string().max(128).nullish().describe('Needed to change the e-mail address'),
    version: Version.optional().describe('The version that was read. With an older one nothing is changed'),
  })
  .meta({ id: 'ProfilePatch' })

/** Who decides for a person, from a day to another. */
export const SubstituteView = z
  .object({
    userId: view.id,
    name: view.person,
    from: z.string().meta({ format: 'date' }),
    until: z.string().meta({ format: 'date' }),
  })
  .meta({
    id: 'Substitute',
    examples: [{ userId: 9, name: 'Grace Hopper', from: '2026-12-21', until: '2027-01-03' }],
  })
export type SubstituteView = z.output<typeof SubstituteView>

export const ProfileView = z
  .object({
    ...UserView.shape,
    locale: Locale.nullable(),
    timeZone: view.maybeText,
    mail: MailSetting,
    avatarKey: view.maybeText.describe('The picture that others see of them, at `/public/files/{avatarKey}`'),
    substitute: SubstituteView.nullable().describe(
      'Decides for them, from a day to another; also before the first day',
    ),
    emailVerified: z.boolean().describe('Whether the person showed that they read what is sent to `email`'),
    pendingEmail: view.maybeText.describe('A new address that waits until it is confirmed'),
    secondFactor: z.boolean().describe('Whether a second factor protects the account'),
    mustChangePassword: z.boolean().describe('Whether everything else is refused until the password is changed'),
  })
  .meta({ id: 'Profile', examples: [{ id: 7, roles: ['user'], pendingEmail: null }] })
export type ProfileView = z.output<typeof ProfileView>

export const UserQuery = walkedPageQuery({
  keyword: Keyword,
  status: UserStatus.optional(),
  roleId: idInPathOf('roles').optional().describe('Only users who hold this role'),
  ...sortedBy(['username']),
})

export const UserPage = pageOf(UserView).meta({ id: 'UserPage' })
