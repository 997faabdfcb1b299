import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withService } from './service.ts'

/**
 * Schemathesis, which makes requests from the document, valid and broken, single and in sequences: the service, started
 * with `npm start`, never fails at one, and answers only what the document says. Without Python that is reported, and
 * nothing is checked.
 *
 * `SEEDS=1,2,3 EXAMPLES=400 node bin/run.js test/document/hostile.ts` makes the long run.
 */
const VERSION = '4.32.5'
const SEEDS = (process.env.SEEDS ?? '1').split(',')
const EXAMPLES = process.env.EXAMPLES ?? '4'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENVIRONMENT = join(ROOT, 'node_modules/.cache/atrium/schemathesis')
const CHECKS = ['status_code', 'content_type', 'response_schema', 'response_headers']
/** What would end the session that asks, or never ends. */
const LEFT_OUT = 'auth/logout|auth/password|stream'

const program = findSchemathesis()
if (program) process.exitCode = (await checkService(program)) ? 0 : 1
else console.log(`SKIPPED  schemathesis: it needs Python 3.10 or newer with venv, and PyPI. Nothing was sent.`)

/** The installed one of this version, else one that is installed beside the packages of npm. */
function findSchemathesis(): string | undefined {
  if (asks('schemathesis', '--version').includes(VERSION)) return 'schemathesis'
  const own = join(ENVIRONMENT, 'bin/schemathesis')
  if (existsSync(own)) return own
  asks('python3', '-m', 'venv', ENVIRONMENT)
  asks(join(ENVIRONMENT, 'bin/pip'), 'install', '--quiet', `schemathesis==${VERSION}`)
  return existsSync(own) ? own : undefined
}

/** @returns what the program writes; nothing if it cannot be run */
function asks(name: string, ...words: string[]): string {
  return spawnSync(name, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout ?? ''
}

async function checkService(schemathesis: string): Promise<boolean> {
  return withService(async (address, folder) => {
    let isSound = true
    for (const seed of SEEDS) isSound = (await attack(schemathesis, address, seed, folder)) && isSound
    return isSound
  })
}

/** @returns whether nothing was found; what was found is printed */
async function attack(schemathesis: string, address: string, seed: string, folder: string): Promise<boolean> {
  const start = performance.now()
  const words = [
    ...['run', join(ROOT, 'test/document/openapi.json'), '--url', address],
    ...['-H', `Authorization: Bearer ${await signIn(address)}`, '--exclude-path-regex', LEFT_OUT],
    ...['--checks', ['not_a_server_error', ...CHECKS.map((check) => `${check}_conformance`)].join()],
    ...['--seed', seed, '--max-examples', EXAMPLES, '--workers', '1', '--request-timeout', '30'],
    ...['--continue-on-failure', '--no-color'],
  ]
  const child = spawn(schemathesis, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ok = (await new Promise((resolve) => child.once('close', resolve))) === 0
  const requests = /(\d+) generated/.exec(output)?.[1] ?? 'no'
  if (!ok) console.log(output)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${ok ? 'ok  ' : 'FAIL'}  schemathesis, seed ${seed}: ${requests} requests  ${seconds} s`)
  return ok
}

async function signIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'admin123' }),
  })
  return ((await answer.json()) as { data: { accessToken: string } }).data.accessToken
}
