import cluster from 'node:cluster'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { welcomes } from '../src/atrium/ports/serving.ts'
import type { Config } from '../src/config/config.ts'
import { strayNames } from '../src/config/environment.ts'
import { readOwnConfig } from '../src/config/own-config.ts'
import { DEVELOPMENT_PASSWORD } from '../src/config/secret.ts'
import { type Destination, openDestination, openLog } from '../src/log.ts'
import type { Served, Service } from '../src/serve.ts'
import { makeFolder } from '../src/util/make-folder.ts'
import { explain } from './cli/refusal.ts'
import { ECHO_MS } from './cli/terminal.ts'
import { probePort } from './workers/probe-port.ts'

/** A stop that takes longer than this, after its notice, is no longer graceful. */
const GRACE_MS = 10_000

/**
 * `npm start`: configuration, database (embedded if none is named), service, and an orderly stop. Code that this
 * process does not need is not loaded, and problems of the configuration are reported before anything is.
 */
async function main() {
  const config = readOwnConfig(process.env)
  const destination = await openDestination(config.production)
  const logger = openLog(config.logLevel, destination.stream)
  if (cluster.isWorker) return work(config, logger, destination)
  for (const { name, meant } of strayNames(process.env))
    logger.warn({ name, meant }, 'a variable that looks like one of ours is not read')

  // Before a database is made in vain. Workers share a port, so they would not notice that another program has it.
  await probePort(config)
  refuseImpossibleFolder(config.files.storage === 'local' ? config.files.root : config.files.spool)
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config)
  const start =
    config.workers === 1
      ? (await import('../src/start.ts')).startService
      : (await import('./workers/primary.ts')).startWorkers
  let serving: Served | undefined
  async function afterwards() {
    await embedded?.stop()
    await destination.end()
  }
  stopOrderly({ config, logger, service: () => serving, afterwards, secondSignal: () => process.exit(1) })
  const url = config.databaseUrl ?? embedded!.url()
  const service = await start(config, url, logger, { examine, onServing: (one) => (serving = one) }).catch(
    async (error) => {
      await afterwards()
      throw error
    },
  )
  if (config.production) logger.info({ port: service.port, ...config.build }, 'Atrium is ready')
  else welcome(config, service, embedded !== undefined)
}

/**
 * A full or read-only disk makes uploads a 503, but a path that cannot hold folders would keep the start waiting
 * forever.
 */
function refuseImpossibleFolder(path: string) {
  try {
    makeFolder(path, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
  }
}

async function openEmbedded({ dataDir }: Config) {
  const { startEmbedded } = await import('./embedded/embedded.ts')
  makeFolder(resolve(dataDir))
  const server = await startEmbedded({ dir: resolve(dataDir), durable: true, mode: 'exclusive', log: say })
  say('PostgreSQL is running. The tables are next.')
  return server
}

/** What `atrium doctor` finds, for the system administrator. Nothing of it is loaded before. */
async function examine(url: string) {
  return (await import('./doctor/examine.ts')).examine(process.env, url)
}

/**
 * One of several processes, which stops when the primary says so. A terminal or a supervisor may signal all of them, so
 * a second signal does not force the stop here.
 */
async function work(config: Config, logger: Logger, destination: Destination) {
  let service: Served | undefined
  const stop = stopOrderly({
    config,
    logger,
    service: () => service,
    afterwards: () => destination.end(),
    secondSignal() {},
  })
  const { serveAsWorker } = await import('./workers/worker.ts')
  service = await serveAsWorker(config, logger, () => stop(0), examine)
}

interface Ending {
  config: Config
  logger: Logger
  /** undefined until it has started */
  service(): Served | undefined
  afterwards(): Promise<void>
  secondSignal(): void
}

/** @returns what stops the process as a signal does */
function stopOrderly({ config, logger, service, afterwards, secondSignal }: Ending): (code: number) => void {
  let stoppingSince: number | undefined
  async function stop(code: number) {
    if (stoppingSince !== undefined) {
      if (code !== 0 || performance.now() - stoppingSince > ECHO_MS) secondSignal()
      return
    }
    stoppingSince = performance.now()
    setTimeout(() => process.exit(1), config.shutdownDelay + GRACE_MS).unref()
    await service()?.stop()
    await afterwards()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
  // The end of a terminal or of npm often follows another signal: it does not hurry a stop.
  process.on('SIGHUP', () => stoppingSince === undefined && void stop(0))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      logger.fatal({ err: error }, 'unexpected failure; stopping')
      void stop(1)
    })
  return (code) => void stop(code)
}

function welcome(config: Config, { port, firstStart }: Service, embedded: boolean) {
  const address = `http://localhost:${port}`
  const usual = config.adminPassword === undefined
  const lines = [
    ...welcomes
      .all()
      .flatMap((offer) => offer(config, address))
      .sort(),
    [
      'Account',
      usual ? `admin / ${DEVELOPMENT_PASSWORD}   (development only)` : 'admin / the ADMIN_PASSWORD of the first start',
    ],
    ['Documentation', config.docs ? `${address}/docs` : 'off; DOCUMENTATION_PAGE=true serves it'],
    ['Data', embedded ? resolve(config.dataDir) : 'the database of DATABASE_URL'],
    ...(firstStart ? [['Demo data', 'npm run seed:demo, in another terminal, adds two companies'] as const] : []),
  ] as const
  say(`
  Atrium is ready.

${lines.map(([name, words]) => `    ${name.padEnd(13)}  ${words}`).join('\n')}

  Press Ctrl-C to stop. Your data is kept.
`)
}

// Losing the terminal is no reason to stop.
process.stderr.on('error', () => {})

function say(line: string) {
  process.stderr.write(`${line}\n`)
}

main().catch((error) => {
  say(explain(error))
  process.exit(1)
})
