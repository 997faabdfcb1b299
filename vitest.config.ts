import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The domains from outside that the walking suites are run with, beside their own tests. */
const DOMAINS = process.env.DOMAINS || 'examples/labels'
const ownTests = DOMAINS.split(',').map((path) => `${path.trim()}/test/**/*.test.ts`)
/** What finds routes, tables and statements by itself. */
const WALKING = [
  'test/contract/{document,outside,routes,statement-order,statements,tables,violations}.test.ts',
  'test/api/{access,caching,citus,hostile,http,isolation,oracles,privileges,refusals,schema}.test.ts',
]

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
          include: ['test/api/**/*.test.ts'],
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
          // What is drawn for the routes of the service is drawn in full by the project `api`.
          env: { DOMAINS, HOSTILE_REQUESTS: process.env.HOSTILE_REQUESTS ?? '1500' },
          globalSetup: 'test/support/server.ts',
          testTimeout: 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
