import pino, { type Logger } from 'pino'
import type { Config } from '../../src/config/config.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../src/data/wire/database.ts'
import { loadDomains } from '../../src/load-domains.ts'
import { sealWith } from '../../src/util/seal.ts'
import { endsWithFile } from './clean-up.ts'
import { testConfig } from './config.ts'
import { reach, SERVICE_ROLE } from './database.ts'
import { PATIENCE_MS, SLOWNESS } from './patience.ts'
import { isOnCluster } from './servers.ts'

/** The data layer of a service in this process. */
export async function openLines(
  url: string,
  config: Config,
  log: Logger,
  { role = SERVICE_ROLE, ...more }: Partial<Pick<DatabaseOptions, 'role' | 'commitsTogether'>> = {},
): Promise<Database> {
  await loadDomains(config)
  return openDatabase({
    ...reach(url),
    ...{ role, log, plans: config.plans, mailLimit: config.mailLimit },
    ...{ readConnections: 2, writeConnections: 2, transactionConnections: 6 },
    flightTimeout: config.databaseTimeout,
    timeScale: SLOWNESS,
    ...more,
    sealer: sealWith(config.sealingSecrets),
  })
}

/** The data layer alone, without a service on it, until the file ends. */
export async function openLayer(url: string, role = SERVICE_ROLE): Promise<Database> {
  if (isOnCluster(url)) await loadDomains(testConfig())
  const database = await openDatabase({
    ...reach(url),
    role,
    readConnections: 1,
    writeConnections: 1,
    transactionConnections: 2,
    flightTimeout: PATIENCE_MS,
    log: pino({ level: 'silent' }),
  })
  return Object.assign(database, { close: endsWithFile(database.close) })
}
