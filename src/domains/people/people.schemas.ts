import { arrayQuery, Keyword, sentence, view, z } from '#atrium'

/** The address of a person's picture, which needs no token. */
export const AvatarUrl = view.maybeText

export const UserStatus = z.enum(['active', 'disabled']).meta({ id: 'UserStatus' })

export const UserView = z
  .object({
    id: view.id,
    username: view.text,
    nickname: view.maybeText,
    email: view.maybeText,
    phone: view.maybeText,
    realName: view.maybeText,
    status: UserStatus,
    roles: z.array(z.string()),
    selfRegistered: z
      .boolean()
      .describe('Registered without being invited: of files, they see only their own until this is cleared'),
    lastSignInAt: view.maybeInstant.describe('When they last proved who they are; null if they never did'),
    version: view.version,
    createdAt: view.instant,
    updatedAt: view.instant,
  })
  .meta({
    id: 'User',
    examples: [{ id: 7, version: 3, phone: '+49 30 1234567', roles: ['user'], roleIds: [2], realName: 'Ada Lovelace' }],
  })
export type UserView = z.output<typeof UserView>

const MOST_IDS = 100

/** Ids in a query, separated by commas: `7,9,12`. */
const Ids = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14})*$/, sentence('must be a list of positive integers'))
  .transform((list) => [...new Set(list.split(',').map(Number))])
  .refine((ids) => ids.length <= MOST_IDS, {
    error: sentence('must have no more than {maximum} entries'),
    params: { maximum: MOST_IDS },
  })
  .meta({ documented: { type: 'string', pattern: '^\\d+(,\\d+)*$' } })

export const DirectoryQuery = arrayQuery({
  keyword: Keyword,
  ids: Ids.optional().describe('At most 100 ids, separated by commas; disabled and deleted people are found too'),
})

/** The status of a person who may have been deleted. */
export const AnyStatus = z.enum(['active', 'disabled', 'deleted']).meta({ id: 'DirectoryStatus' })

export const DirectoryEntry = z
  .object({
    id: view.id,
    username: view.person,
    nickname: view.maybeText,
    avatarUrl: AvatarUrl,
    status: AnyStatus,
  })
  .meta({ id: 'DirectoryEntry', examples: [{ id: 7 }] })
