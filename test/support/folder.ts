import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endsWithFile } from './clean-up.ts'

/** A folder of its own, which is removed after the test file, whatever is in it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-test-'))
  endsWithFile(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
