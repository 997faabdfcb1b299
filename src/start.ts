import type { Logger } from 'pino'
import { checkCredentials } from '#atrium/auth'
import { findCredentials, typed } from '#atrium/people'
import { writeCatalogue } from '#atrium/roles'
import { bootstrap, findTenant } from '#atrium/tenants'
import type { Examine } from './app.ts'
import { type Config, InvalidConfiguration } from './config/config.ts'
import { connectionsOf, databaseSettings } from './config/connections.ts'
import { DEVELOPMENT_PASSWORD } from './config/secret.ts'
import { proveIsolation } from './data/setup/isolation/prove-isolation.ts'
import { type Migrated, migrate } from './data/setup/migrate.ts'
import { refusePooler } from './data/setup/pooler.ts'
import { SetupProblem } from './data/setup/setup-problem.ts'
import { waitForDatabase } from './data/setup/wait-for-database.ts'
import { openScope, sharedScope } from './data/tx/open-scope.ts'
import { type Database, type DatabaseOptions, openDatabase } from './data/wire/database.ts'
import { FIRST_TENANT } from './kernel/actor.ts'
import { broughtAlong, idleVariables, loadDomains, migrationsOf } from './load-domains.ts'
import { openCoordinationFor, type Served, type Service, serve } from './serve.ts'

/** A database that is migrated, proven to isolate tenants, opened and bootstrapped. */
export async function prepareDatabase(
  config: Config,
  url: string,
  logger: Logger,
  connections = connectionsOf(config),
): Promise<{ database: Database; firstStart: boolean }> {
  const domains = await loadDomains(config)
  for (const plugin of broughtAlong(config, domains)) logger.info(plugin, 'a plug-in is on because another one uses it')
  for (const variable of idleVariables(config, domains))
    logger.warn(variable, 'a variable of a plug-in that is off is not read')
  const sources = migrationsOf(domains)
  if (!config.databasePooled) await refusePooler(url)
  const { allowDowngrade } = config
  const migrated = await migrate(config.migrationUrl ?? url, logger, sources, {
    andThen: writeCatalogue,
    allowDowngrade,
  })
  if (config.auditRetentionDays > 0) assertRetention(migrated)
  const { role } = migrated
  const database = await openProven({ url, role, ...connections, ...databaseSettings(config, logger) })
  const firstStart = await bootstrap(database, config.adminPassword ?? DEVELOPMENT_PASSWORD, config.firstRegistration)
  if (config.production && !firstStart) await refuseDevelopmentPassword(database)
  if (config.production) await warnOfOpenDoor(database, logger)
  return { database, firstStart }
}

/** The system administrator is at home in the first tenant: whether strangers register there should be meant. */
async function warnOfOpenDoor(database: Database, logger: Logger): Promise<void> {
  const first = await findTenant(sharedScope(database), { id: FIRST_TENANT })
  if (first?.registration === 'open')
    logger.warn(
      { tenant: first.code },
      'strangers may register in the first tenant; FIRST_TENANT_REGISTRATION=closed at the first start, or PUT /api/v1/tenants/1, closes it',
    )
}

/** It connects while the proof is made, and is asked for nothing before. */
async function openProven(options: DatabaseOptions): Promise<Database> {
  const opening = openDatabase(options)
  const [proof, opened] = await Promise.allSettled([proveIsolation(options.url, options.role), opening])
  if (proof.status === 'fulfilled') return opening
  if (opened.status === 'fulfilled') await opened.value.close()
  throw proof.reason
}

/** A database from development still has the well-known password. @throws SetupProblem */
async function refuseDevelopmentPassword(database: Database): Promise<void> {
  const found = await findCredentials(openScope(database, FIRST_TENANT), typed('admin'))
  if (!(await checkCredentials(found, DEVELOPMENT_PASSWORD))) return
  await database.close()
  throw new SetupProblem('The administrator still has the development password; set another one: atrium admin passwd')
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
  const coordination = await openCoordinationFor(config, logger)
  const served = await serve(config, {
    ...{ database, coordination, logger, isAlone: true },
    examine: examine && (() => examine(url)),
  })
  onServing?.(served)
  return { ...served, firstStart }
}
