import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { isWhole } from '../test/whole/whole.ts'
import { lintOutside } from './check/outside.ts'
import { writeGenerated } from './generate.ts'
import { filesOfPlugins } from './of-plugins.ts'
import { COMPILED, tidyCompiled } from './test/compiled.ts'
import { removeRun, startRun, sweepDeadRuns } from './test/folder.ts'

/**
 * `npm run check`: format, lint, types, unit and contract tests, concurrently; no database. It prints each check as it
 * ends, and at last the first lines of what failed; the command after FAIL prints the rest. With DOMAINS the domains
 * from outside are checked too.
 */
const TSC = 'tsc --noEmit --pretty false --incremental'
const LINT = 'biome check --reporter=concise --error-on-warnings'
/**
 * One worker: a second would load the service once more, on a core that lints meanwhile. Room for new objects saves it
 * an eighth of its time, in which it would collect them.
 */
const TESTS =
  'node --max-semi-space-size=64 node_modules/vitest/vitest.mjs run --project quick --maxWorkers 1 --reporter tools/check/briefly.ts'
const CHECKS: [name: string, command: string][] = [
  ['format and lint', `${LINT} .`],
  ['types', `${TSC} -p ${isWhole() ? 'test/whole' : '.'} --checkers 1 --tsBuildInfoFile ${COMPILED}/all.tsbuildinfo`],
  ...filesOfPlugins('browser/tsconfig.json').map((path): [string, string] => [
    'types of the console',
    `${TSC} -p ${path} --tsBuildInfoFile ${COMPILED}/console.tsbuildinfo`,
  ]),
  ['types of the client', `${TSC} -p client --tsBuildInfoFile ${COMPILED}/client.tsbuildinfo`],
  ['unit and contract tests', TESTS],
]
const OF_DOMAINS = 'format and lint of DOMAINS'
/** They are linted in a copy; in their place the version control that Biome asks for is another one. */
const FORMAT_OUTSIDE = 'npx biome check --write --vcs-enabled=false'
sweepDeadRuns()
await writeGenerated()
tidyCompiled()
const folder = startRun()
const WIDTH = Math.max(...CHECKS.map(([name]) => name.length))
/** The compiler ends before its garbage matters: collecting it takes a third of its time. */
const ENVIRONMENT = { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: COMPILED, GOGC: 'off', TMPDIR: folder }
/** For tests, their reporter limits the output. */
const MOST_LINES = 12

const paths = (process.env.DOMAINS ?? '').split(',').filter(Boolean)
const outside = lintOutside(paths)
const results = await Promise.all([
  ...CHECKS.map(([name, command]) => run(name, command)),
  ...(outside ? [run(OF_DOMAINS, [LINT, ...outside.folders].join(' '), outside.cwd)] : []),
])
outside?.remove()
removeRun(folder)
for (const { name, command, ok, output } of results)
  if (!ok && command === TESTS) console.log(`FAIL  ${name}: npm test -- --project quick\n${output.trimEnd()}`)
  else if (!ok && name === OF_DOMAINS)
    console.log(`FAIL  ${name}: ${[FORMAT_OUTSIDE, ...paths].join(' ')}\n${shorten(outside!.original(output))}`)
  else if (!ok) console.log(`FAIL  ${name}: ${command}\n${shorten(output)}`)
const failed = results.filter(({ ok }) => !ok)
const longest = Math.max(...results.map(({ ms }) => ms))
console.log(failed.length ? `${failed.length} of ${results.length} checks failed` : `ok  ${inSeconds(longest)}`)
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
    if (child.pid && command !== TESTS) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const end = (ok: boolean) => {
      const ms = performance.now() - start
      console.log(`${name.padEnd(WIDTH)}  ${ok ? 'ok  ' : 'FAIL'}  ${inSeconds(ms)}`)
      resolve({ name, command, ok, ms, output })
    }
    child.on('error', (error) => {
      output += error
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function shorten(output: string): string {
  // The indented lines after a type error repeat it in more detail.
  const lines = output.split('\n').filter((line) => line.trim() && !/^ +(Type|Types|Property|Object) /.test(line))
  if (lines.length <= MOST_LINES) return lines.join('\n')
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} lines more`].join('\n')
}
