import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../../appliance/cli.ts', import.meta.url))
/** Where services keep what they have compiled: most of what a command takes is loading it. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/atrium', import.meta.url))

export interface Said {
  code: number | null
  /** stdout */
  out: string
  /** stderr */
  err: string
  /** stdout as JSON */
  json(): any
}

export interface Surroundings {
  env?: Record<string, string>
  /** what is piped in */
  stdin?: string
  /** kills it with SIGKILL */
  kill?: AbortSignal
}

/** The environment of a command that gets nothing else. It has as much patience with the database as its project. */
export const nowhere = () => ({
  PATH: process.env.PATH,
  DATABASE_TIMEOUT_MS: process.env.TEST_DATABASE_TIMEOUT_MS,
  NODE_ENV: 'test',
  DATA_DIR: join(tmpdir(), 'atrium-test-nowhere'),
})

/** Runs the real command line, `node appliance/cli.ts`, in a process of its own that sees nothing of ours. */
export function atrium(words: string, { env = {}, stdin = '', kill }: Surroundings = {}): Promise<Said> {
  const child = spawn(process.execPath, [CLI, ...words.split(' ').filter(Boolean)], {
    env: {
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: COMPILED,
      ...nowhere(),
      ...env,
    },
  })
  kill?.addEventListener('abort', () => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  child.stdin.on('error', () => {}).end(stdin)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, out, err, json: () => JSON.parse(out) }))
  })
}
