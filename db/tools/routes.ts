import { openapiDocument } from '../../src/cli/openapi-document.ts'

/** `npm run routes`: method, path, access and summary of every route, from the published document; needs no database. */
interface Route {
  method: string
  path: string
  access: string
  summary: string
}

export async function listRoutes(): Promise<Route[]> {
  const { paths = {} } = (await openapiDocument()) as { paths?: Record<string, Record<string, any>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { 'x-access': access, summary }]) => ({
      method: method.toUpperCase(),
      path,
      access: access ?? '',
      summary: summary ?? '',
    })),
  )
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
