import { defineConfig } from 'vitest/config'

/** Unit, type and contract tests need no database and make `npm run check`; the rest run on a throwaway PostgreSQL. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'quick',
          include: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'],
          typecheck: { enabled: false },
          testTimeout: 20_000,
          // They share no state, so the modules are loaded once for all files, which is most of the time of a run.
          isolate: false,
          pool: 'threads',
        },
      },
      {
        test: {
          name: 'api',
          include: ['test/api/**/*.test.ts'],
          globalSetup: 'test/support/server.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: 'test/support/server.ts',
          testTimeout: 120_000,
          hookTimeout: 60_000,
          maxWorkers: 3,
        },
      },
    ],
  },
})
