import { find, lend, list, type PartOf, sql, write } from '#atrium'
import { fileFaults, PUBLIC_FILES } from '#atrium/files'

/** The public address of the picture of a person, who is joined under a name; null without one. */
export const avatarUrlAs = lend(
  ['users'],
  (name: string) =>
    sql<
      string | null
    >`${sql.lit(PUBLIC_FILES)} || ${sql.ref(`${name}.tenantId`)} || '/' || ${sql.ref(`${name}.avatar`)}`,
)

export const findAvatar = find((from, p: { id: number }) =>
  from('users')
    .select('users.avatar')
    .select(avatarUrlAs('users').as('avatarUrl'))
    .where('users.id', '=', p.id)
    .where('users.avatar', 'is not', null),
)

/** The people who have a file as their picture. */
export const listPictured = list((from, p: { filename: string }) =>
  from('users').select('users.id').where('users.avatar', '=', p.filename).orderBy('users.id').limit(20),
)

/** `avatar`: the name of a file, or null. */
export const saveAvatar = write(
  ({ update }, p: PartOf<'users', 'id' | 'avatar'>) =>
    update('users').set({ avatar: p.avatar }).where('users.id', '=', p.id),
  { announces: (p) => ({ user: p.id }), conflicts: { users_avatar_is_kept: fileFaults.notFound } },
)
