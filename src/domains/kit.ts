/**
 * What a domain from outside is made of: `import { domain, find, … } from 'atrium'`. The same parts that the domains of the
 * service are made of; docs/a-domain-of-your-own.md leads through them.
 */
export { sql } from 'kysely'
export { z } from 'zod'
export type { Config } from '../config/config.ts'
export { paginate, paginateShared } from '../data/sql/paginate.ts'
export * from '../data/sql/verbs.ts'
export { nextId } from '../data/tx/ids.ts'
export type { Scope, Tx } from '../data/tx/scope.ts'
export type { Actor, User } from '../kernel/actor.ts'
export * from '../kernel/fault.ts'
export { arrayQuery, pageOf, pageQuery, pageRequestOf, toPage } from '../kernel/page.ts'
export { sentence } from '../kernel/sentence.ts'
export * from '../kernel/zod.ts'
export { type Domain, type DomainRoutes, domain } from './domain.ts'
