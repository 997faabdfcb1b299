import { resolve } from 'node:path'
import pino from 'pino'
import { type Config, InvalidConfiguration, readConfig } from './config/config.ts'
import { strayNames } from './config/environment.ts'
import { DEVELOPMENT_PASSWORD, developmentSecret } from './config/secret.ts'
import { SetupProblem } from './data/setup/setup-problem.ts'
import { DirectoryInUse, startEmbedded } from './embedded/embedded.ts'
import { openLog } from './log.ts'
import { type Service, startService } from './start.ts'

/** A stop that takes longer than this, behind its notice, is no longer graceful. */
const GRACE_MS = 10_000

/** `npm start`: configuration, database (embedded where none is named), service, and an orderly stop. */
async function main() {
  const config = readConfig(process.env, () => developmentSecret(resolve(process.env.DATA_DIR || '.data')))
  const destination = pino.destination({ sync: false, minLength: 4096 })
  const logger = openLog(config.logLevel, destination)
  setInterval(() => destination.flush(), 1000).unref()
  for (const { name, meant } of strayNames(process.env))
    logger.warn({ name, meant }, 'a variable that looks like one of ours is not read')

  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({ dir: resolve(config.dataDir), durable: true, mode: 'exclusive', log: say })
  const service = await startService(config, config.databaseUrl ?? embedded!.url(), logger).catch(async (error) => {
    await embedded?.stop()
    throw error
  })
  welcome(config, service, embedded !== undefined)
  stopOrderly(
    service,
    async () => {
      await embedded?.stop()
      destination.flushSync()
    },
    (error) => logger.fatal({ err: error }, 'unexpected failure; stopping'),
    config.shutdownDelay + GRACE_MS,
  )
}

function stopOrderly(
  service: Service,
  afterwards: () => Promise<void>,
  report: (error: unknown) => void,
  grace: number,
) {
  let stopping = false
  async function stop(code: number) {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), grace).unref()
    await service.stop()
    await afterwards()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error) => {
      report(error)
      void stop(1)
    })
}

function welcome(config: Config, { port, firstStart }: Service, embedded: boolean) {
  const address = `http://localhost:${port}`
  if (config.production) return say(`Atrium is ready on port ${port}`)
  const usual = config.adminPassword === undefined
  say(`
  Atrium is ready.

    Address        ${address}
    Documentation  ${config.docs ? `${address}/docs` : 'turned off by DOCUMENTATION_PAGE'}
    Sign in        admin / ${usual ? `${DEVELOPMENT_PASSWORD}   (development only)` : 'the ADMIN_PASSWORD of the first start'}
    Data           ${embedded ? `${resolve(config.dataDir)}   (embedded PostgreSQL)` : 'the database of DATABASE_URL'}${firstStart ? '   first start: made just now' : ''}

  Try first:

    curl -s ${address}/api/v1/auth/login -H 'content-type: application/json' \\
      -d '{"username":"admin","password":"${usual ? DEVELOPMENT_PASSWORD : '…'}"}'

    npm run tour         walks through the service as a client would
    npm run seed:demo    fills it with a company worth looking at

  Ctrl-C stops it; everything is kept.
`)
}

function say(line: string) {
  process.stderr.write(`${line}\n`)
}

main().catch((error) => {
  say(
    error instanceof DirectoryInUse || error instanceof InvalidConfiguration || error instanceof SetupProblem
      ? error.message
      : String(error?.stack ?? error),
  )
  process.exit(1)
})
