import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { resolve } from 'node:path'
import { writeGenerated } from './generate.ts'
import { affectedTests } from './test/affected.ts'
import { COMPILED, tidyCompiled } from './test/compiled.ts'
import { removeRun, startRun, sweepDeadRuns } from './test/folder.ts'
import { slowness } from './test/slowness.ts'

/**
 * `npm test -- …`: Vitest, with its words, and `--changed` or `--changed=COMMIT` for the tests that what has changed can
 * affect. Everything that tests write is in one temporary folder, which names their processes too. All of it is removed
 * however the run ends, and by the next run after a `kill -9`.
 */
const VITEST = 'node_modules/vitest/vitest.mjs'
/** On a machine at rest. */
const PATIENCE_MS = 60_000

const words = process.argv.slice(2).flatMap((word) => {
  const [, asked, since] = /^(--changed)(?:=(.+))?$/.exec(word) ?? []
  return asked ? affectedTests(since) : word
})
if (words.length === 0 && process.argv.length > 2) {
  console.log('No test can be affected by what has changed.')
  process.exit()
}
sweepDeadRuns()
await writeGenerated()
// Else the first services that the tests start would do so side by side.
spawnSync(process.execPath, ['bin/bundle.js'])
tidyCompiled()
const folder = startRun()
const slow = slowness()
if (slow > 2) console.log(`This machine is ${slow.toFixed(1)} times as slow as usual, so the tests wait the longer.`)
const child = spawn(process.execPath, [VITEST, 'run', ...words], {
  // The channel of messages tells it when this process is killed.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: {
    ...process.env,
    TMPDIR: folder,
    // Each project loads the modules of the service again.
    NODE_COMPILE_CACHE: resolve(COMPILED),
    TEST_PATIENCE_MS: String(Math.round(PATIENCE_MS * slow)),
  },
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    child.kill('SIGKILL')
    process.exitCode = 128 + constants.signals[signal]
  })
child.once('error', (error) => {
  console.error(`Vitest cannot be run: ${error.message}`)
  process.exitCode = 1
})
child.once('close', (code) => {
  removeRun(folder)
  process.exitCode ??= code ?? 1
})
