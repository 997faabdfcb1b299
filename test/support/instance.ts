import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { openCoordination } from '../../src/data/redis/coordination.ts'
import { type Database, openDatabase } from '../../src/data/wire/database.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { sealWith } from '../../src/util/seal.ts'
import { type Client, clientOf } from './client.ts'
import { testConfig } from './config.ts'
import { reach, SERVICE_ROLE } from './database.ts'
import type { Person, WorldOptions } from './world.ts'

/** One more instance of the service on a world's database; the world's tokens are good for it too. */
export interface Instance {
  app: FastifyInstance
  database: Database
  as(person: Person): Client
  /** Whether it talks to Redis at this moment. */
  hasRedis(): boolean
  close(): Promise<void>
}

/** @param hear is given the statements that leave for the database outside of transactions with locks */
export async function openInstance(
  url: string,
  {
    env = {},
    redisUrl,
    hear,
    role = SERVICE_ROLE,
  }: WorldOptions & { role?: string; hear?: (tenantId: number, calls: readonly Call[]) => void } = {},
): Promise<Instance> {
  const config = testConfig(env)
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const lines = {
    readConnections: 2,
    writeConnections: 2,
    transactionConnections: 6,
    flightTimeout: config.databaseTimeout,
    sealer: sealWith(config.sealingSecrets),
    plans: config.plans,
    mailLimit: config.mailLimit,
  }
  const opened = await openDatabase({ ...reach(url), role, ...lines, log })
  const database: Database = {
    ...opened,
    send(tenantId, calls) {
      hear?.(tenantId, calls)
      return opened.send(tenantId, calls)
    },
    search(tenantId, calls, who) {
      hear?.(tenantId, calls)
      return opened.search(tenantId, calls, who)
    },
  }
  const coordination = redisUrl ? openCoordination(redisUrl, log) : undefined
  const app = await buildApp(config, { database, coordination, logger: log })
  await app.ready()
  while (coordination && !coordination.up()) await sleep(10)
  return {
    app,
    database,
    hasRedis: () => coordination?.up() ?? false,
    as: (person) => clientOf(app, { authorization: `Bearer ${person.token}` }),
    async close() {
      await app.close()
      await database.close()
      await coordination?.close()
    },
  }
}
