import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endsWithFile } from './clean-up.ts'
import { newDataDir } from './config.ts'
import { reach } from './database.ts'
import { givesDatabase, PATIENCE_MS } from './patience.ts'
import { isHere } from './plugins.ts'
import { diesWithUs, onFreePort } from './programs.ts'
import { openRemote, type Remote } from './remote.ts'
import { CONNECTIONS } from './servers.ts'

/** Whether the service has a listener for operators, which is the plug-in metrics. */
export const hasMetrics = isHere('metrics')

export interface ServiceOptions {
  databaseUrl: string
  redisUrl?: string
  /** a port of before, so that clients find the service again */
  port?: number
  env?: Record<string, string>
  /** its working directory; by default one without a `.env` */
  cwd?: string
  /** the folder of another release; by default this one */
  release?: string
  /** where its log goes: to a pipe that is not read, or to an open file; by default it is read */
  stdout?: 'unread' | number
  /** so many files it may hold open */
  handles?: number
  /** npm starts it, as the package.json of its working directory says: `pid` and signals are npm's */
  npm?: true
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  /** milliseconds from the signal to the end */
  after: number
}

const HERE = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Starts the real service, as `npm start` does, in a process of its own, which is killed after the file. Resolves when it
 * is ready, and rejects with what it wrote when it does not become so.
 */
export const startProcess = (options: ServiceOptions) =>
  options.port ? startOn(options.port, options) : onFreePort((port) => startOn(port, options))

async function startOn(port: number, options: ServiceOptions) {
  const start = performance.now()
  const main = join(options.release ?? HERE, 'start.js')
  const command = options.npm ? ['npm', 'start'] : [process.execPath, main]
  if (options.handles) command.unshift('sh', '-c', `ulimit -n ${options.handles}; exec "$@"`, 'sh')
  const child = spawn(command[0]!, command.slice(1), {
    // Not where a developer has a `.env`.
    cwd: options.cwd ?? tmpdir(),
    env: {
      PATH: process.env.PATH,
      DOMAINS: process.env.DOMAINS?.split(',')
        .map((path) => resolve(path.trim()))
        .join(','),
      ...environmentOf(options),
      PORT: String(port),
      ...options.env,
    },
    stdio: ['ignore', typeof options.stdout === 'number' ? options.stdout : 'pipe', 'pipe'],
  })
  diesWithUs(child)
  let output = ''
  for (const stream of options.stdout === undefined ? [child.stdout, child.stderr] : [child.stderr])
    stream?.on('data', (text) => (output += text))
  let signalledAt = start
  const ended = new Promise<Ended>((resolve) =>
    child.once(options.stdout === 'unread' ? 'exit' : 'close', (code, signal) => {
      resolve({ code, signal, after: performance.now() - signalledAt })
    }),
  )
  endsWithFile(() => {
    child.kill('SIGKILL')
    return ended
  })
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const remote = openRemote(port, undefined, !options.release)
  while (!(await isReady(remote)) || !isAlive()) {
    if (isAlive() && performance.now() - start < PATIENCE_MS) await sleep(20)
    else {
      child.kill('SIGKILL')
      // Its last words may still be on their way.
      await ended
      throw new Error(`The service did not become ready:\n${output}`)
    }
  }
  return {
    port,
    pid: child.pid!,
    remote,
    /** milliseconds from the launch to the first 200 of /readyz */
    readyAfter: performance.now() - start,
    /** what it has written to stderr, its log included where LOG_LEVEL lets it */
    output: () => output,
    isAlive,
    /** Sends the signal and waits for the end. */
    end(signal: NodeJS.Signals): Promise<Ended> {
      signalledAt = performance.now()
      child.kill(signal)
      return ended.finally(() => remote.close())
    },
    /** Resolves when the process is gone. */
    ended,
  }
}
export type ServiceProcess = Awaited<ReturnType<typeof startOn>>

async function isReady(remote: Remote): Promise<boolean> {
  const answer = await remote.probe('/readyz').catch(() => undefined)
  return answer?.status === 200
}

/** Nothing of the outside, the same key for tokens after every restart, limits off. */
function environmentOf({ databaseUrl, redisUrl }: ServiceOptions): Record<string, string> {
  // Without a URL it starts on its embedded database.
  const { url, pooled } = databaseUrl ? reach(databaseUrl) : { url: '', pooled: false }
  return {
    NODE_ENV: 'test',
    NODE_NO_WARNINGS: '1',
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    // A machine that is busy with other tests is no overload of the service.
    OVERLOAD_DELAY_MS: '0',
    // Nor is a database that is.
    ...givesDatabase(20_000),
    LOG_LEVEL: 'error',
    DATABASE_URL: url,
    ...(pooled && { DATABASE_POOLER: 'true', MIGRATION_DATABASE_URL: databaseUrl }),
    DATA_DIR: newDataDir(),
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(process.env.PLUGINS && { PLUGINS: process.env.PLUGINS }),
    JWT_SECRET: 'a-secret-of-the-tests-that-nobody-else-has',
    SIGN_IN_LIMIT: '0',
    REGISTRATION_LIMIT: '0',
    ...CONNECTIONS,
  }
}
