/** What other domains may use. */
export { joinProjects } from './hand-over.actions.ts'
export { type MemberWork, memberWork, recordMember, relyOnProject } from './projects.actions.ts'
export { projects } from './projects.domain.ts'
export { assertActive, projectFaults } from './projects.rules.ts'
export { VersionQuery } from './projects.schemas.ts'
export {
  findActiveMember,
  getVisibleProject,
  lockMemberships,
  members,
  membersOf,
  projectIdsSeen,
  projectOf,
  projectsSeenBy,
  removeMemberships,
  type SeesProjects,
  shareLockProjectsOf,
  stillActive,
  stillActiveMember,
  stillMember,
} from './projects.store.ts'
