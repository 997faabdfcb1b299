import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Unit, type and contract tests need no database and make `npm run check`; the rest run on a throwaway PostgreSQL. */
export default defineConfig({
  // What a domain from outside imports is the service under test.
  resolve: {
    alias: {
      'atrium/test': fileURLToPath(new URL('test/support/kit.ts', import.meta.url)),
      atrium: fileURLToPath(new URL('src/domains/kit.ts', import.meta.url)),
    },
  },
  test: {
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
        },
      },
      {
        extends: true,
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
        extends: true,
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
