import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { openCoordination } from '../../src/atrium/ports/serving.ts'
import type { Database } from '../../src/data/wire/database.ts'
import type { Call } from '../../src/data/wire/flight.ts'
import { endsWithFile } from './clean-up.ts'
import { clientOf } from './client.ts'
import { testConfig } from './config.ts'
import { openLines } from './layer.ts'
import type { Person, WorldOptions } from './world.ts'

/**
 * One more instance of the service on a world's database, until the file ends; the world's tokens are good for it too.
 * @param hear is given the statements that leave for the database outside of transactions with locks
 */
export async function openInstance(
  url: string,
  {
    env = {},
    redisUrl,
    hear,
    role,
  }: WorldOptions & { role?: string; hear?: (tenantId: number, calls: readonly Call[]) => void } = {},
) {
  const config = testConfig({ ...env, ...(redisUrl && { REDIS_URL: redisUrl }) })
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' })
  const opened = await openLines(url, config, log, role ? { role } : {})
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
  const coordination = await openCoordination.get()(config, log)
  const app = await buildApp(config, { database, coordination, logger: log })
  await app.ready()
  while (coordination && !coordination.up()) await sleep(10)
  return {
    app,
    database,
    /** Whether it talks to Redis at this moment. */
    hasRedis: () => coordination?.up() ?? false,
    as: (person: Person) => clientOf(app, { authorization: `Bearer ${person.token}` }),
    close: endsWithFile(async () => {
      await app.close()
      await database.close()
      await coordination?.close()
    }),
  }
}
export type Instance = Awaited<ReturnType<typeof openInstance>>
