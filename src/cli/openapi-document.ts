import pino from 'pino'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../data/database.ts'
import { Unavailable } from '../data/unavailable.ts'

/** The document as `/openapi.json` serves it; needs no database. */
export async function openapiDocument(): Promise<Record<string, any>> {
  const logger = pino({ level: 'silent' })
  const config = readConfig({ NODE_ENV: 'test' }, () => 'nothing is signed, the routes are only listed')
  const app = await buildApp(config, {
    database: nobody(logger),
    coordination: undefined,
    logger,
    stopping: () => true,
  })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}

/** A database that is away: the routes are declared without it. */
function nobody(log: pino.Logger): Database {
  const away = () => Promise.reject(new Unavailable('there is no database here'))
  const stats = () => ({ lines: 0, inTheAir: 0, held: 0, idle: 0, waiting: 0 })
  return {
    role: '',
    log,
    tally: { flights: 0, refused: 0, undelivered: 0 },
    fly: away,
    hold: away,
    stats,
    close: async () => {},
  }
}
