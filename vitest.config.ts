import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The domains from outside that the walking suites are run with, beside their own tests. */
const DOMAINS = process.env.DOMAINS || 'examples/labels'
const ownTests = DOMAINS.split(',').map((path) => `${path.trim()}/test/**/*.test.ts`)
/** The suites that find routes, tables and statements by themselves. The project `outside` attacks a domain by them. */
const WALKING = `
  contract/document contract/keys contract/mistakes contract/outside contract/route-rules contract/routes
  contract/statement-order contract/statement-rules contract/statements contract/tables contract/violations
  api/access api/caching api/citus api/hostile api/isolation api/no-trace-of-other-tenants api/refusals api/schema
  api/page-costs api/strangers`
  .trim()
  .split(/\s+/)
  .map((name) => `test/${name}.test.ts`)
// Vitest says nothing of a file that is gone, and domains from outside would no longer be held to what it tests.
for (const path of WALKING)
  if (!existsSync(path)) throw new Error(`vitest.config.ts: ${path} is gone: put its new name into WALKING`)

const inHouse = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Unit, type and contract tests need no database and make `npm run check`; the rest run on a throwaway PostgreSQL. */
export default defineConfig({
  // What a domain from outside imports is the service under test.
  resolve: {
    alias: [
      { find: /^atrium\/test$/, replacement: inHouse('test/support/kit.ts') },
      { find: /^atrium$/, replacement: inHouse('src/atrium/atrium.ts') },
      { find: /^atrium\/([\w-]+)$/, replacement: inHouse('src/domains/$1/$1.ts') },
    ],
  },
  test: {
    // What is to come about comes at once; on a machine that is busy, later.
    expect: { poll: { timeout: 10_000 } },
    // For all projects alike, whatever the machine has: those that differ are refused to run side by side.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
          typecheck: { enabled: false },
          testTimeout: 60_000,
          // They share no state, so the modules are loaded once for all files, which is most of the time of a run.
          isolate: false,
          pool: 'threads',
          // By Node itself, which strips types as it does for the service: nothing of them is mocked.
          experimental: { viteModuleRunner: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          // A domain may bring its own stories along when it moves into src.
          include: ['test/api/**/*.test.ts', 'src/domains/*/test/**/*.test.ts'],
          // Fourteen hours ahead of UTC: a day that is formed in the time zone of the machine is another one.
          env: { TZ: 'Pacific/Kiritimati' },
          globalSetup: 'test/support/server.ts',
          testTimeout: 20_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: 'test/support/server.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'outside',
          include: [...ownTests, ...WALKING],
          // The routes of the service itself are walked by the projects `quick` and `api`.
          env: { DOMAINS, WALKED: 'outside', HOSTILE_REQUESTS: process.env.HOSTILE_REQUESTS ?? '600' },
          globalSetup: 'test/support/server.ts',
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
