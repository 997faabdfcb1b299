import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { givesDatabase, HOLDS_FIGURES, PATIENCE_MS } from './test/support/patience.ts'
import { isWhole } from './test/whole/whole.ts'

/** The domains from outside that the walking suites are run with, beside their own tests. */
const DOMAINS = process.env.DOMAINS || 'examples/labels'
const ownTests = DOMAINS.split(',').map((path) => `${path.trim()}/test/**/*.test.ts`)
/** The suites that find routes, tables and statements by themselves. The project `outside` attacks a domain by them. */
const WALKING = `
  contract/document contract/floors contract/keys contract/mistakes contract/outside contract/route-rules contract/routes contract/secrets
  contract/statement-order contract/statement-rules contract/statements contract/tables contract/violations
  api/access api/caching api/distributable api/hostile api/isolation api/no-trace-of-other-tenants api/refusals api/schema
  api/page-costs api/strangers`
  .trim()
  .split(/\s+/)
  .map((name) => `test/${name}.test.ts`)
// Vitest says nothing of a file that is gone, and domains from outside would no longer be held to what it tests.
for (const path of WALKING)
  if (!existsSync(path)) throw new Error(`vitest.config.ts: ${path} is gone: put its new name into WALKING`)

/** A variable that makes the long form of a test, such as KILLS=20. Whoever asks for one ends it by hand. */
const LONG =
  /^(AUDIT_REQUESTS|BACKLOG|BIT_FLIPS|DATABASE_FAULTS|GUESSES|GUESS_PAIRS|HANGS|MAILS|MOVING_\w+|POOLER_ROUNDS|RACE_ROUNDS|REDIS_FAULTS|ROUNDS|SEQUENCES|SLOW_CLIENTS|STOPS|UPLOADS|WEBHOOK_EVENTS|\w*(KILLS|SECONDS|MINUTES|_REQUESTS|_ROWS|REVOCATIONS))$/
const isLong = Object.keys(process.env).some((name) => LONG.test(name))
/** A test that waits says what it waited for before this ends it. */
const HANGS_MS = isLong ? 0 : 5 * PATIENCE_MS
/** No test of these is about a slow database, and on a busy machine each of them may be. */
const PATIENT = { TEST_DATABASE_TIMEOUT_MS: '60000' }
/** On a database: files share the modules of the service, which take longer to load than most of them to run. */
const onDatabase = {
  globalSetup: 'test/support/server.ts',
  isolate: false,
  // By Node itself, which strips types as it does for the service: nothing of them is mocked.
  experimental: { viteModuleRunner: false, nodeLoader: false },
}

// `npm test` was killed: nobody waits for this any more.
process.once('disconnect', () => process.exit(1))
process.channel?.unref()

/** Unit, type and contract tests need no database and make `npm run check`; the rest run on a throwaway PostgreSQL. */
export default defineConfig({
  test: {
    reporters: [['tools/test/reporter.ts', { silent: HOLDS_FIGURES ? false : 'passed-only' }]],
    setupFiles: 'test/support/each-file.ts',
    // A golden file that is missing fails everywhere as it does in CI: only -u writes one.
    update: 'none',
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    teardownTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    // For all projects alike, whatever the machine has: those that differ are refused to run side by side.
    maxWorkers: 4,
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/{unit,contract}/**/*.test.ts', 'src/plugins/*/test/unit/*.test.ts'],
          typecheck: { enabled: false },
          // They share no state, so the modules are loaded once for all files, which is most of the time of a run.
          isolate: false,
          pool: 'threads',
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        extends: true,
        test: {
          name: 'api',
          include: [
            'test/api/**/*.test.ts',
            'src/{domains,plugins}/*/test/*.test.ts',
            ...(isWhole() ? ['test/whole/*.test.ts'] : []),
          ],
          // Fourteen hours ahead of UTC: a day that is formed in the time zone of the machine is another one.
          env: { ...PATIENT, TZ: 'Pacific/Kiritimati' },
          ...onDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts', 'src/plugins/*/test/faults/*.test.ts'],
          // Those that are about a slow database say how slow.
          env: { TEST_DATABASE_TIMEOUT_MS: givesDatabase(20_000).DATABASE_TIMEOUT_MS },
          ...onDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: 'outside',
          include: [...ownTests, ...WALKING],
          // The routes of the service itself are walked by the projects `quick` and `api`.
          env: { ...PATIENT, DOMAINS, WALKED: 'outside', HOSTILE_REQUESTS: process.env.HOSTILE_REQUESTS ?? '600' },
          ...onDatabase,
        },
      },
    ],
  },
})
