import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal } from '../../src/atrium/command-line.ts'
import { catalogue } from '../../src/atrium/ports/serving.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { madeSecret } from '../../src/config/secret.ts'
import { inspect } from '../../src/data/setup/inspect.ts'
import { type Migrated, type MigrateOptions, migrate } from '../../src/data/setup/migrate.ts'
import type { MigrationSource } from '../../src/data/setup/migrations.ts'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import type { Log } from '../../src/kernel/log.ts'
import { loadDomains, migrationsOf } from '../../src/load-domains.ts'
import { makeFolder } from '../../src/util/make-folder.ts'
import { sealWith } from '../../src/util/seal.ts'
import { startEmbedded } from '../embedded/embedded.ts'
import { remark } from './terminal.ts'

/**
 * The configuration of a command. It serves nothing, so in production it only requires the database. In development it
 * opens stored secrets with the key that the first start made.
 */
export function configOf(environment: Environment): Config {
  const secret = () => madeSecret(resolve(environment.DATA_DIR || '.data')) ?? 'the command line signs nothing'
  return readConfig(environment, secret, ['DATABASE_URL'])
}

/** Loads the domains, and returns their migrations and those of the service. */
export async function migrationSources(config: Config): Promise<readonly MigrationSource[]> {
  return migrationsOf(await loadDomains(config))
}

/** Brings the database to the migrations of this version, in the role that migrates. */
export async function bringUp(
  config: Config,
  url: string,
  options: Pick<MigrateOptions, 'allowDowngrade' | 'distribute'>,
): Promise<Migrated> {
  const sources = await migrationSources(config)
  return migrate(config.migrationUrl ?? url, log, sources, { andThen: catalogue.get(), ...options })
}

/** Writes to stderr what the service would log. */
export const log: Log = {
  info() {},
  warn: (_, message) => remark(message),
  error: (_, message) => remark(message),
}

/**
 * Runs `use` with the URL of the database: the configured one, or the embedded one, which is shared if the service runs
 * on it and otherwise started for as long as this takes.
 * @throws Refusal if there is no embedded database yet, unless it may be made
 */
export async function withUrl<T>(
  config: Config,
  use: (url: string) => Promise<T>,
  { mayMake = false } = {},
): Promise<T> {
  if (config.databaseUrl) return use(config.databaseUrl)
  const dir = resolve(config.dataDir)
  if (!mayMake && !existsSync(join(dir, 'postgres')))
    throw new Refusal(`There is no database in ${dir} yet. The first start makes it, or: atrium migrate up`)
  if (mayMake) makeFolder(dir)
  const embedded = await startEmbedded({ dir, durable: true, mode: 'shared' })
  try {
    return await use(embedded.url())
  } finally {
    await embedded.stop()
  }
}

/** Runs `use` with an open database that has all migrations of this version. @throws Refusal if it lacks some */
export async function withDatabase<T>(
  config: Config,
  use: (database: Database, url: string) => Promise<T>,
): Promise<T> {
  const sources = await migrationSources(config)
  return withUrl(config, async (url) => {
    const { user, standing, mayEnterRole, migrations } = await inspect(url, sources)
    const { role } = standing
    if (!mayEnterRole)
      throw new Refusal(`The role ${user} may not become ${role}, the role in which the service works.`)
    if (migrations.some(({ state }) => state === 'missing' || state === 'changed'))
      throw new Refusal('The database is not at the migrations of this version; see: atrium migrate status')
    return withRole(config, url, role, (database) => use(database, url))
  })
}

/** Runs `use` with a database that is known to have all migrations, opened in the role of the service. */
export async function withRole<T>(
  config: Config,
  url: string,
  role: string,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({
    url,
    role,
    readConnections: 1,
    writeConnections: 1,
    transactionConnections: 2,
    pooled: config.databasePooled,
    flightTimeout: config.databaseTimeout,
    sealer: sealWith(config.sealingSecrets),
    log,
  })
  return use(database).finally(() => database.close())
}
