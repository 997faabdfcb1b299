/** What other domains may use. */
export {
  type Authority,
  areAdministrative,
  assertCovers,
  assertHolds,
  authorityFrom,
  covers,
  type RoleHeld,
} from './authority.rules.ts'
export { listPermissions } from './permissions.store.ts'
export {
  appointSystemAdministrator,
  createReservedRoles,
  createRole,
  createUserWithRole,
  deleteRole,
  loadAuthority,
  loadOwnAuthority,
  restoreAdministrator,
  updateRole,
} from './roles.actions.ts'
export { roles } from './roles.domain.ts'
export { assertAllFound, isTitle, roleFaults, roleIn } from './roles.rules.ts'
export { idSetOf } from './roles.schemas.ts'
export {
  administrators,
  everyRole,
  exceeds,
  findRights,
  holdersOf,
  holdersOfRole,
  holdings,
  insertUserRole,
  listAdministratorIds,
  listRolesByCode,
  listRolesByIds,
  listRolesHeld,
  removeUserRole,
  roleCodesOf,
  roleIdsHeld,
} from './roles.store.ts'
