/** What other domains may use. */
export { joinDepartment, type LeaderWork, leaderWork } from './organization.actions.ts'
export { organization } from './organization.domain.ts'
export { organizationFaults } from './organization.rules.ts'
export {
  activeDepartments,
  existingDepartment,
  findDepartment,
  findDepartmentOf,
  getDepartmentWithLeader,
  insertOrganization,
  lockStaff,
  shareLockStaff,
} from './organization.store.ts'
