import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../data/wire/database.ts'
import type { Log } from '../../kernel/log.ts'
import { port } from '../port.ts'

/** Follows requests, and what they wait for. */
export interface Tracing {
  /** The same database, with every flight and every wait for a connection followed. */
  follow(database: Database): Database
  /** Adds hooks that every request passes first, behind those of its line in the log, whose `traceId` they set. */
  hooks(app: FastifyInstance): void
  /** Sends what remains. Waits only a moment for a collector that is away. */
  close(): Promise<void>
}

/** Opens the traces, if the configuration wants any. */
export type OpenTracing = (config: Config, log: Log) => Promise<Tracing | undefined>
export const openTracing = port<OpenTracing>('what follows requests', async () => undefined)
