/** What other domains may use. */
export { type LeaderWork, leaderWork } from './organization.actions.ts'
export { organization } from './organization.domain.ts'
export {
  activeDepartments,
  findDepartment,
  insertOrganization,
  listDepartmentsLedBy,
  lockStaff,
  placeMember,
  removeFromDepartments,
  shareLockDepartment,
  shareLockStaff,
} from './organization.store.ts'
