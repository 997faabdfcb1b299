/**
 * What a domain from outside is made of: `import { domain, find, … } from 'atrium'`. The same parts that the domains of the
 * service are made of; docs/a-domain-of-your-own.md leads through them.
 */
export { sql } from 'kysely'
export { z } from 'zod'
export type { Config } from '../config/config.ts'
export { paginate } from '../data/sql/paginate.ts'
export { type Column, matches, ofSameTenant, onKey } from '../data/sql/relations.ts'
export { columnsOf, except, only, type PartOf, type RowOf } from '../data/sql/rows.ts'
// Whole, so that `declare module 'atrium' { interface DB { … } }` adds the tables of a domain.
export type * from '../data/sql/schema.ts'
export {
  type From,
  find,
  list,
  lock,
  lockAll,
  peek,
  requireAtCommit,
  updateIfUnchanged,
  type Verbs,
  write,
  writeReturning,
} from '../data/sql/verbs.ts'
export { view as lend } from '../data/sql/view.ts'
export { activities } from '../data/tx/activities.ts'
export { nextId } from '../data/tx/ids.ts'
export type { Scope, Tx } from '../data/tx/scope.ts'
export type { Actor, User } from '../kernel/actor.ts'
// Whole, so that `declare module 'atrium' { interface Domains { … } }` adds the words of a domain.
export type * from '../kernel/domain.ts'
export { assertMatch, type Expected } from '../kernel/expected.ts'
export * from '../kernel/fault.ts'
export { arrayQuery, pageOf, pageQuery, pageRequestOf, sortBy, sortedBy, toPage } from '../kernel/page.ts'
export { sentence } from '../kernel/sentence.ts'
export * from '../kernel/zod.ts'
export { type Domain, type DomainRoutes, domain } from './domain.ts'
// What projects and tasks lend.
export { projects } from './projects/projects.domain.ts'
export { assertActive, projectFaults } from './projects/projects.rules.ts'
export { projectOf, stillActive, type Visibility, visibleTo } from './projects/projects.store.ts'
export { loadInvolved } from './tasks/tasks.actions.ts'
export { tasks } from './tasks/tasks.domain.ts'
export { taskFaults } from './tasks/tasks.rules.ts'
export { TaskView } from './tasks/tasks.schemas.ts'
export { findTask, taskColumns, visibleTasks, withPeople } from './tasks/tasks.store.ts'
