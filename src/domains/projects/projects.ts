/** What other domains may use. */
export { type MemberWork, memberWork, recordMember } from './members/members.actions.ts'
export { assertMayChange, type Role } from './members/members.rules.ts'
export {
  findActiveMember,
  findMember,
  lockMemberships,
  removeMemberships,
  shareLockProjectsOf,
  stillActiveMember,
  stillMember,
} from './members.store.ts'
export { joinProjects, relyOnProject } from './projects.actions.ts'
export { projects } from './projects.domain.ts'
export { assertActive, projectFaults } from './projects.rules.ts'
export { VersionQuery } from './projects.schemas.ts'
export {
  getVisibleProject,
  members,
  membersOf,
  projectIdsSeen,
  projectOf,
  projectsSeenBy,
  roleSeen,
  type SeesProjects,
  stillActive,
} from './projects.store.ts'
