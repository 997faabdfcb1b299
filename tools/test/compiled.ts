import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Where Node keeps what it has compiled, for starts of the service too. */
export const COMPILED = 'node_modules/.cache/atrium'
/** A run compiles some hundred modules that no other run can use, because Vitest gives each test file a new name. */
const MOST = 8000

/** Makes the folder, and empties it when there is too much in it. */
export function tidyCompiled(): void {
  mkdirSync(COMPILED, { recursive: true })
  for (const entry of readdirSync(COMPILED, { withFileTypes: true }))
    if (entry.isDirectory() && readdirSync(join(COMPILED, entry.name)).length > MOST)
      rmSync(join(COMPILED, entry.name), { recursive: true })
}
