import type { Logger } from 'pino'
import type { Examine } from './app.ts'
import { fileStore } from './atrium/ports/file-store.ts'
import { catalogue, firstTenant, openCoordination, startChecks } from './atrium/ports/serving.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import { connectionsOf, databaseSettings } from './config/connections.ts'
import { DEVELOPMENT_PASSWORD } from './config/secret.ts'
import { proveIsolation } from './data/setup/isolation/prove-isolation.ts'
import { type Migrated, migrate } from './data/setup/migrate.ts'
import { refusePooler } from './data/setup/pooler.ts'
import { waitForDatabase } from './data/setup/wait-for-database.ts'
import { type Database, type DatabaseOptions, openDatabase } from './data/wire/database.ts'
import { broughtAlong, idleVariables, loadDomains, migrationsOf } from './load-domains.ts'
import { type Served, type Service, serve } from './serve.ts'

/** A database that is migrated, proven to isolate tenants, opened and bootstrapped. */
export async function prepareDatabase(
  config: Config,
  url: string,
  logger: Logger,
  connections = connectionsOf(config),
): Promise<{ database: Database; firstStart: boolean }> {
  const domains = await loadDomains(config)
  fileStore.get().prove(config.files)
  for (const plugin of broughtAlong(config, domains)) logger.info(plugin, 'a plug-in is on because another one uses it')
  for (const variable of idleVariables(config, domains))
    logger.warn(variable, 'a variable of a plug-in that is off is not read')
  const sources = migrationsOf(domains)
  if (!config.databasePooled) await refusePooler(url)
  const { allowDowngrade } = config
  const migrated = await migrate(config.migrationUrl ?? url, logger, sources, {
    andThen: catalogue.get(),
    allowDowngrade,
  })
  if (config.auditRetentionDays > 0) assertRetention(migrated)
  const { role } = migrated
  const database = await openProven({ url, role, ...connections, ...databaseSettings(config, logger) })
  const password = config.adminPassword ?? DEVELOPMENT_PASSWORD
  const firstStart = await firstTenant.get()(database, password, config.firstRegistration)
  if (config.production) await examineStart(database, firstStart, logger)
  return { database, firstStart }
}

async function examineStart(database: Database, firstStart: boolean, log: Logger): Promise<void> {
  try {
    for (const check of startChecks.all()) await check(database, { firstStart, log })
  } catch (error) {
    await database.close()
    throw error
  }
}

/** It connects while the proof is made, and is asked for nothing before. */
async function openProven(options: DatabaseOptions): Promise<Database> {
  const opening = openDatabase(options)
  const [proof, opened] = await Promise.allSettled([proveIsolation(options.url, options.role), opening])
  if (proof.status === 'fulfilled') return opening
  if (opened.status === 'fulfilled') await opened.value.close()
  throw proof.reason
}

/**
 * An owner who works as itself has given up the right to remove audit rows, and so has the function that would do it.
 */
function assertRetention({ role, asOwner, advice }: Migrated) {
  if (!asOwner) return
  const remedy = advice
    ? `Let a superuser create one (${advice}), empty the database and start again`
    : 'Move to a database with one, with atrium backup and atrium restore'
  throw new InvalidConfiguration([
    [
      'AUDIT_RETENTION_DAYS',
      `needs a role for the service, which works as ${role}, the owner of the tables. ${remedy}, or leave the setting at 0`,
    ],
  ])
}

export interface Start {
  /** what the doctor finds, for the system administrator */
  examine?: (url: string) => ReturnType<Examine>
  /** called as soon as anything listens: from then on a stop has requests to finish */
  onServing?: (served: Served) => void
}

/** Starts the whole service on the database at `url`, in this process. Resolves when it is ready. */
export async function startService(
  config: Config,
  url: string,
  logger: Logger,
  { examine, onServing }: Start = {},
): Promise<Service> {
  await waitForDatabase(url, logger)
  const { database, firstStart } = await prepareDatabase(config, url, logger)
  const coordination = await openCoordination.get()(config, logger)
  const served = await serve(config, {
    ...{ database, coordination, logger, isAlone: true },
    examine: examine && (() => examine(url)),
  })
  onServing?.(served)
  return { ...served, firstStart }
}
