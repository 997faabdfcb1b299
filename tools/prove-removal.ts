import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { importDomains, isPlugin, PLUGIN_NAMES } from '../src/load-domains.ts'

/**
 * `npm run prove:removal -- [NAME … | all] [--tests]`: copies the project, deletes the folder of a plug-in and of those
 * that use it, and runs the check there, and with `--tests` all tests. Without names each plug-in is deleted in turn,
 * and then all of them.
 */
const { values, positionals } = parseArgs({ options: { tests: { type: 'boolean' } }, allowPositionals: true })
const wanted = positionals.length ? positionals : [...PLUGIN_NAMES, 'all']
const plugins = (await importDomains({ plugins: ['all'], domains: [] })).filter(isPlugin)

let failed = 0
for (const name of wanted) {
  const removed = name === 'all' ? PLUGIN_NAMES : goneWith(name)
  const start = performance.now()
  const problem = checkWithout(removed)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const others = removed.filter((one) => one !== name)
  const also = name === 'all' || others.length === 0 ? '' : ` (and ${others.join(', ')}, which use it)`
  console.log(`${problem ? 'FAIL' : 'ok  '}  without ${name}${also}, ${seconds} s${problem ? `\n${problem}` : ''}`)
  if (problem) failed++
}
process.exitCode = failed ? 1 : 0

/** A plug-in, and those that use it, directly or through others. */
function goneWith(name: string): string[] {
  const gone = new Set([name])
  // Each stands behind those that it uses.
  for (const plugin of plugins) if (plugin.uses?.some((used) => gone.has(used.name))) gone.add(plugin.name)
  return [...gone]
}

/** @returns what fails in a copy of the project without these folders */
function checkWithout(names: readonly string[]): string | undefined {
  const copy = mkdtempSync(join(tmpdir(), 'atrium-without-'))
  try {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
      .trim()
      .split('\n')
    const isGone = (file: string) => names.some((name) => file.startsWith(`src/plugins/${name}/`))
    for (const file of files.filter((file) => !isGone(file))) {
      mkdirSync(join(copy, dirname(file)), { recursive: true })
      cpSync(file, join(copy, file))
    }
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
    // The linter and the map of files ask git what is there.
    execFileSync('git', ['init', '-q'], { cwd: copy })
    execFileSync('git', ['add', '-A'], { cwd: copy })
    const commands = [['tools/check.ts'], ...(values.tests ? [['tools/test.ts']] : [])]
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync(process.execPath, command, {
        cwd: copy,
        encoding: 'utf8',
        maxBuffer: Infinity,
      })
      // What failed is in either: the check prints it, and the tests report it as errors.
      const said = `${stderr}${stdout}`
      if (status !== 0) return said.slice(Math.max(0, said.indexOf('FAIL')))
    }
    return undefined
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
