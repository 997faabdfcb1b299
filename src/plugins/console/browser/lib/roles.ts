import { api, type Role } from './api.ts'
import { language, t } from './language.ts'
import { type Loaded, useLoad } from './load.ts'

/** The roles that the service brings. Nobody renames them, so who may not read the roles is told these names too. */
const reserved = (): Record<string, string> => ({
  admin: t('Administrator'),
  'tenant-admin': t('Tenant administrator'),
  user: t('User'),
})

/**
 * All roles of the tenant by their names, as forms and lists need them; nothing for those who may not read them.
 * @param call how they are asked for, if not as usual
 */
export function useRoles(call?: object): Loaded<Role[]> {
  return useLoad(async () => {
    const roles: Role[] = await Array.fromAsync(api.each.listRoles({}, call))
    return roles.sort((one, other) => one.name.localeCompare(other.name, language()))
  }, [])
}

/** Whether a role is that of administrators, who hold what they hold. */
export const isAdministrators = (code: string): boolean => code === 'admin' || code === 'tenant-admin'

/** The names of roles by their codes; a code that nobody knows stands for itself. */
export function roleNames(codes: readonly string[], roles: readonly Role[] = []): string {
  const named = reserved()
  return codes.map((code) => roles.find((role) => role.code === code)?.name ?? named[code] ?? code).join(', ')
}
