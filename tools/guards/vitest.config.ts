import { relative } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'
import { findGuards, ROOT } from './guards.ts'

/** The tests that belong to a guard, on a source without it. */
function withoutGuard(id: string): Plugin {
  const guard = findGuards().find((one) => one.id === id)
  if (!guard) throw new Error(`There is no guard ${id}`)
  return {
    name: `without ${id}`,
    enforce: 'pre',
    transform(code, module) {
      if (relative(ROOT, module) !== guard.path) return undefined
      return code.slice(0, guard.start) + guard.instead + code.slice(guard.end)
    },
  }
}

const { WITHOUT_GUARD, GUARD_TESTS = '[]' } = process.env
const tests: string[] = JSON.parse(GUARD_TESTS)
const needDatabase = !tests.every((path) => /^test\/(unit|contract)\//.test(path))

export default defineConfig({
  root: ROOT,
  plugins: WITHOUT_GUARD ? [withoutGuard(WITHOUT_GUARD)] : [],
  test: {
    include: tests,
    setupFiles: 'test/support/each-file.ts',
    globalSetup: needDatabase ? 'test/support/server.ts' : [],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    bail: 1,
    // Of several that fail at the same time, the report would have none.
    maxConcurrency: 1,
    // A cache of transformed modules would keep the source from which another run has removed a guard.
    fsModuleCache: false,
  },
})
