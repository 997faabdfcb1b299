import pino from 'pino'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import { reach, SERVICE_ROLE } from './database.ts'
import { PATIENCE_MS } from './patience.ts'

/** The data layer in this process, without a service on it. */
export function openLayer(url: string, role = SERVICE_ROLE): Promise<Database> {
  return openDatabase({
    ...reach(url),
    role,
    readConnections: 1,
    writeConnections: 1,
    transactionConnections: 2,
    flightTimeout: PATIENCE_MS,
    log: pino({ level: 'silent' }),
  })
}
