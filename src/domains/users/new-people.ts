import { type Actor, type Scope, type Tx, takeRoom } from '#atrium'
import {
  appearanceOf,
  findNamesake,
  findNicknamedOf,
  insertUser,
  peopleFaults,
  recordUser,
  type UserView,
} from '#atrium/people'
import { areAdministrative, insertUserRole, isTitle, type RoleHeld } from '#atrium/roles'
import type { UserDraft } from './users.schemas.ts'

type NewPerson = Omit<UserDraft, 'roleIds' | 'mustChangePassword'> & {
  passwordHash: string
  mustChangePassword: boolean
  /** when they showed that the address is theirs */
  emailVerifiedAt?: string | null
}

/**
 * Adds a person with these roles, for a caller who has locked the staff and checked that they may be given.
 * @param administrators those of the tenant now
 * @throws USERNAME_TAKEN, NICKNAME_TAKEN, QUOTA_EXCEEDED
 */
export async function insertPerson(
  tx: Tx<Actor>,
  person: NewPerson,
  roles: readonly RoleHeld[],
  administrators: readonly { id: number }[],
): Promise<UserView> {
  const appearance = appearanceOf(person.username, person.nickname)
  if (appearance.nicknameSkeleton !== appearance.skeleton)
    await assertNobodyElse(tx, NOBODY, appearance.nicknameSkeleton, roles, administrators)
  if (person.status === 'active') await takeRoom(tx, 'people')
  const user = (await insertUser(tx, { ...person, ...appearance })).rows[0]!
  for (const role of roles) insertUserRole(tx, { userId: user.id, roleId: role.id })
  const codes = roles.map(({ code }) => code)
  recordUser(tx, user.id, { status: user.status, roles: codes })
  return { ...user, roles: codes, lastSignInAt: null }
}

const NOBODY = 0

/**
 * Others see a nickname, so it may not look like another person's name, an administrator's name or an administrator's
 * title. @throws NICKNAME_TAKEN
 */
export async function assertNobodyElse(
  scope: Scope,
  id: number,
  skeleton: string | null,
  roles: readonly RoleHeld[],
  administrators: readonly { id: number }[],
): Promise<void> {
  if (skeleton === null) return
  const [namesake, administrator] = await Promise.all([
    findNamesake(scope, { id, skeleton }),
    findNicknamedOf(scope, { id, ids: administrators.map((one) => one.id), nicknameSkeleton: skeleton }),
  ])
  if (namesake || administrator || (isTitle(skeleton) && !areAdministrative(roles))) throw peopleFaults.nicknameTaken()
}
