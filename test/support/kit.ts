/**
 * What the tests of a domain from outside are made of: `import { openWorld, test } from 'atrium/test'`. A world has a
 * database of its own and the service on it, with the domains that DOMAINS names.
 */
export { afterAll, beforeAll, describe, expect, test } from 'vitest'
export type { Answer, Client } from './client.ts'
export { openWorld, type Person, type Tenant, type World } from './world.ts'
