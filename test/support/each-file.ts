import { afterAll, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'

/** Vitest runs this before each test file; what a file leaves, such as a process or a database, is removed after it. */
afterAll(async () => {
  vi.useRealTimers()
  await cleanUp()
  // A clock that a file has moved goes back when nothing of it runs any more.
  vi.restoreAllMocks()
})
