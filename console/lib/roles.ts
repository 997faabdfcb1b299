import { api, type Role } from './api.ts'
import { language } from './language.ts'
import { type Loaded, useLoad } from './load.ts'

/** All roles of the tenant by their names, as forms and lists need them; nothing for those who may not read them. */
export function useRoles(): Loaded<Role[]> {
  return useLoad(async () => {
    const roles: Role[] = []
    for await (const role of api.each.listRoles()) roles.push(role)
    return roles.sort((one, other) => one.name.localeCompare(other.name, language()))
  }, [])
}

/** The names of roles by their codes, in words; a code that nobody knows stands for itself. */
export function roleNames(codes: readonly string[], roles: readonly Role[] = []): string {
  return codes.map((code) => roles.find((role) => role.code === code)?.name ?? code).join(', ')
}
