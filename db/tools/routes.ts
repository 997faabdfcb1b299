import pino from 'pino'
import { buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { openBell } from '../../src/data/bell.ts'
import type { Database } from '../../src/data/database.ts'
import { Unavailable } from '../../src/data/unavailable.ts'

/** `npm run routes`: method, path, access and summary of every route, from the published document; needs no database. */
interface Route {
  method: string
  path: string
  access: string
  summary: string
}

export async function listRoutes(): Promise<Route[]> {
  const logger = pino({ level: 'silent' })
  const app = await buildApp(
    readConfig({ NODE_ENV: 'test' }, () => 'nothing is signed, the routes are only listed'),
    { database: nobody(logger), coordination: undefined, logger, stopping: () => true },
  )
  await app.ready()
  const { paths = {} } = app.swagger() as { paths?: Record<string, Record<string, any>> }
  await app.close()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { 'x-access': access, summary }]) => ({
      method: method.toUpperCase(),
      path,
      access: access ?? '',
      summary: summary ?? '',
    })),
  )
}

/** A database that is away: the routes are declared without it. */
function nobody(log: pino.Logger): Database {
  const away = () => Promise.reject(new Unavailable('there is no database here'))
  const stats = () => ({ lines: 0, inTheAir: 0, held: 0, idle: 0, waiting: 0 })
  return { role: '', log, bell: openBell(), fly: away, hold: away, stats, close: async () => {} }
}

/** Aligned columns; a blank line around domains that have more than one route. */
function print(routes: Route[]): void {
  const width = (column: keyof Route) => Math.max(...routes.map((route) => route[column].length))
  const [method, path, access] = [width('method'), width('path'), width('access')]
  const domains = Map.groupBy(routes, (route) => route.path.split('/')[3])
  let alone = true
  for (const group of domains.values()) {
    if (!alone || group.length > 1) console.log()
    alone = group.length === 1
    for (const route of group)
      console.log(
        `${route.method.padEnd(method)}  ${route.path.padEnd(path)}  ${route.access.padEnd(access)}  ${route.summary}`,
      )
  }
  console.log(`\n${routes.length} routes`)
}

if (import.meta.main) print(await listRoutes())
