import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { lintOutside } from './check/outside.ts'

/**
 * `npm run check`: format, lint, types, unit and contract tests, concurrently; no database. It prints what failed, and
 * the first lines of it; the command after FAIL prints the rest. With DOMAINS the domains from outside are checked too.
 */
const CACHE = 'node_modules/.cache/atrium'
const TSC = 'tsc --noEmit --pretty false --incremental'
const LINT = 'biome check --reporter=concise --error-on-warnings'
const CHECKS: [name: string, command: string][] = [
  ['format and lint', `${LINT} .`],
  ['types', `${TSC} --checkers 1 --tsBuildInfoFile ${CACHE}/all.tsbuildinfo`],
  ['types of the console', `${TSC} -p console --tsBuildInfoFile ${CACHE}/console.tsbuildinfo`],
  ['types of the client', `${TSC} -p client --tsBuildInfoFile ${CACHE}/client.tsbuildinfo`],
  // One worker: a second would load the service once more, on a core that lints meanwhile.
  ['unit and contract tests', 'vitest run --project quick --maxWorkers 1 --reporter tools/check/briefly.ts'],
]
/** The compiler ends before its garbage matters: collecting it takes a third of its time. */
const ENVIRONMENT = { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: CACHE, GOGC: 'off' }
/** For tests, their reporter limits the output. */
const MOST_LINES = 12

mkdirSync(CACHE, { recursive: true })
const outside = lintOutside((process.env.DOMAINS ?? '').split(',').filter(Boolean))
const results = await Promise.all([
  ...CHECKS.map(([name, command]) => run(name, command)),
  ...(outside ? [run('format and lint of DOMAINS', [LINT, ...outside.folders].join(' '), outside.cwd)] : []),
])
outside?.remove()
for (const { name, command, ok, output } of results)
  if (!ok)
    console.log(
      `FAIL  ${name}: ${command}\n${command.startsWith('vitest') ? output.trimEnd() : shorten(outside?.original(output) ?? output)}`,
    )
const failed = results.filter(({ ok }) => !ok)
const seconds = Math.max(...results.map(({ ms }) => ms)) / 1000
console.log(failed.length ? `${failed.length} of ${results.length} checks failed` : `ok  ${seconds.toFixed(1)} s`)
process.exitCode = failed.length ? 1 : 0

interface Outcome {
  name: string
  command: string
  ok: boolean
  ms: number
  output: string
}

function run(name: string, command: string, cwd = '.'): Promise<Outcome> {
  return new Promise((resolve) => {
    const start = performance.now()
    const [program, ...args] = command.split(' ')
    const child = spawn(program!, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT })
    // On two cores the tests take longest, and get one to themselves.
    if (child.pid && program !== 'vitest') setPriority(child.pid, constants.priority.PRIORITY_LOW)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const end = (ok: boolean) => resolve({ name, command, ok, ms: performance.now() - start, output })
    child.on('error', (error) => {
      output += error
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

function shorten(output: string): string {
  // The indented lines after a type error repeat it in more detail.
  const lines = output.split('\n').filter((line) => line.trim() && !/^ +(Type|Types|Property|Object) /.test(line))
  if (lines.length <= MOST_LINES) return lines.join('\n')
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} lines more`].join('\n')
}
