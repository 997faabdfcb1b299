import { writeFileSync } from 'node:fs'
import pino from 'pino'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../data/database.ts'
import { Unavailable } from '../data/unavailable.ts'
import { command } from './command.ts'
import { remark, say } from './terminal.ts'

export const openapi = command({
  about: 'Print the OpenAPI document of this version',
  options: { out: { type: 'string', value: 'FILE', about: 'write it into a file' } },
  run: async ({ out }) => {
    const text = JSON.stringify(await openapiDocument(), null, 2)
    if (out === undefined) return say(text)
    writeFileSync(out, `${text}\n`)
    remark(`Written to ${out}.`)
  },
})

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
  const entering = () => ({ prepared: { name: '', text: '' }, values: [] })
  return { role: '', log, entering, fly: away, hold: away, stats, close: async () => {} }
}
