import {
  fault,
  faults,
  freeSlug,
  LANGUAGES,
  type Language,
  notFound,
  ROLE,
  skeletonOf,
  slugFrom,
  texts,
  z,
} from '#atrium'
import { nicknameSkeletonOf } from '#atrium/people'
import { type Authority, areAdministrative, assertHolds, isReserved } from './authority.rules.ts'
import type { RoleDraft, RolePatch, RoleView } from './roles.schemas.ts'

export const roleFaults = {
  notFound: notFound('Role'),
  codeTaken: fault('ROLE_CODE_TAKEN', 409, 'This role code is taken'),
  codeReserved: fault('RESERVED', 409, 'This code is reserved for a role of the service'),
  codeFixed: fault('RESERVED', 409, 'The code of a role does not change'),
  reserved: fault('RESERVED', 409, 'This role is part of the service: it can be neither deleted nor renamed'),
  administrators: fault('RESERVED', 409, 'Administrators keep what they hold'),
  inUse: fault('ROLE_IN_USE', 409, 'Somebody still holds this role'),
}

export const permissionFaults = {
  notFound: notFound('Permission'),
  codeTaken: fault('PERMISSION_CODE_TAKEN', 409, 'This permission code is taken'),
  reserved: fault('RESERVED', 409, 'This permission is part of the service'),
  inUse: fault('PERMISSION_IN_USE', 409, 'A role still holds this permission'),
}

/** @throws NOT_FOUND if some roles of a request are not there */
export function assertAllFound(roles: readonly object[], ids: readonly number[]): void {
  if (roles.length < ids.length) throw roleFaults.notFound()
}

/** A valid code; other input is converted to one. */
const PROPER = /^[A-Za-z][A-Za-z0-9_-]*$/

/** The code of a draft: as given, or made from the given text or from the name. */
export function codeFrom({ code, name }: Pick<RoleDraft, 'code' | 'name'>) {
  if (code && PROPER.test(code)) return { code, isMade: false }
  return { code: slugFrom(code?.normalize('NFKC'), name.normalize('NFKC'), 'role').slug, isMade: true }
}

/** A generated code gets a suffix if similar ones exist; a given one is refused. @throws ROLE_CODE_TAKEN, RESERVED */
export function settleCode({ code, isMade }: ReturnType<typeof codeFrom>, taken: readonly string[]): string {
  const looks = new Set([...taken, ...Object.values(ROLE)].map(skeletonOf))
  if (isMade) return freeSlug(code, { has: (free) => looks.has(skeletonOf(free)) })
  if (taken.includes(code)) throw roleFaults.codeTaken()
  if (isReserved(code)) throw roleFaults.codeReserved([{ path: 'body.code', message: 'is reserved' }])
  if (looks.has(skeletonOf(code))) throw roleFaults.codeTaken()
  return code
}

/** The names of the reserved roles. Nobody renames them, so each reader sees their own language. */
export const roleNames = texts(
  new URL('./texts/', import.meta.url),
  z.object({ [ROLE.admin]: z.string(), [ROLE.tenantAdmin]: z.string(), [ROLE.user]: z.string() }),
)

interface Named {
  code: string
  name: string
}

const OTHER_TITLES = ['Tenant Administrator', 'System administrator', '系统管理员']

/** Whether only administrators may be called so: by a role of theirs in a language, as the first ones are, or by the office. */
export function isTitle(skeleton: string | null): boolean {
  const roles = LANGUAGES.flatMap((language) => [ROLE.admin, ROLE.tenantAdmin].map((code) => roleNames(language)[code]))
  return [...roles, ...OTHER_TITLES].some((title) => nicknameSkeletonOf(title) === skeleton)
}

/** A role, named in the reader's language. */
export function roleIn<Role extends Named>(language: Language, role: Role): Role {
  return { ...role, name: reservedName(role.code, language) ?? role.name }
}

/** The name of a reserved role, as it is stored if no language is given. */
export function reservedName(code: string, language: Language = 'en'): string | undefined {
  const names: Record<string, string> = roleNames(language)
  return Object.hasOwn(names, code) ? names[code] : undefined
}

/** The reserved roles whose name contains these words, in whatever language a reader sees it. */
export function codesNamed(words: string): string[] {
  const isIn = (name: string) => name.toLowerCase().includes(words.toLowerCase())
  return Object.values(ROLE).filter((code) => LANGUAGES.some((language) => isIn(roleNames(language)[code])))
}

/** The name that a patch means: sending back a translated name does not rename the role. */
export function nameMeant({ code, name }: Named, sent: string | undefined): string | undefined {
  const isRead = sent !== undefined && LANGUAGES.some((language) => reservedName(code, language) === sent)
  return isRead ? name : sent
}

/** The fields that a role's form shows. */
export function roleState({ name, description, permissions, menuIds }: RoleView): object {
  return { name, description, permissions, menuIds }
}

/** What one set adds to and removes from another. @param after undefined if the set stays */
export function difference(before: readonly number[], after: readonly number[] = before) {
  return { added: after.filter((id) => !before.includes(id)), removed: before.filter((id) => !after.includes(id)) }
}

/** Granting or revoking permissions requires `role:permission` and each of them. @throws PERMISSION_DENIED */
export function assertMayAssign(authority: Authority, permissions: readonly string[]): void {
  if (permissions.length === 0) return
  if (!authority.holds('role:permission'))
    throw faults.permissionDenied([
      { path: 'body.permissionIds', permission: 'role:permission', message: '{permission} is not yours' },
    ])
  assertHolds(authority, permissions, 'body.permissionIds')
}

/**
 * A patch may change a role's name, description and sets, never its code. Reserved roles keep their names. The two
 * administrator roles keep their permissions, so that nobody locks a tenant out. `admin` keeps every menu.
 * @throws RESERVED, PERMISSION_DENIED
 */
export function assertMayRevise(
  role: Pick<RoleView, 'code' | 'name'>,
  patch: Pick<RolePatch, 'code' | 'name'>,
  permissions: readonly string[],
  changesMenus: boolean,
  authority: Authority,
): void {
  const isOurs = isReserved(role.code)
  if (patch.code !== undefined && patch.code !== role.code)
    throw roleFaults.codeFixed([{ path: 'body.code', message: 'does not change' }])
  if (isOurs && patch.name !== undefined && patch.name !== role.name)
    throw roleFaults.reserved([{ path: 'body.name', message: 'does not change' }])
  if (permissions.length && areAdministrative([role]))
    throw roleFaults.administrators([{ path: 'body.permissionIds', message: 'do not change' }])
  if (changesMenus && role.code === ROLE.admin)
    throw roleFaults.administrators([{ path: 'body.menuIds', message: 'do not change' }])
  assertMayAssign(authority, permissions)
}

/** A role can be deleted if it is not reserved and nobody holds it; the fault names its holders. */
export function assertMayDelete(role: Pick<RoleView, 'code'>, holders: readonly { userId: number }[]): void {
  if (isReserved(role.code)) throw roleFaults.reserved()
  if (holders.length)
    throw roleFaults.inUse(
      holders.map(({ userId }) => ({ path: 'users', id: userId, message: 'user {id} holds the role' })),
    )
}
