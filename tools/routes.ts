import { collectRoutes } from './openapi/routes.ts'

/** `npm run routes`: method, path, access and summary of every route; needs no database. */
interface Line {
  method: string
  path: string
  access: string
  summary: string
}

/** Aligned columns; a blank line around domains that have more than one route. */
function print(routes: Line[]): void {
  const width = (column: keyof Line) => Math.max(...routes.map((route) => route[column].length))
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

const routes = await collectRoutes()
print(
  routes.map(({ method, url, access, schema }) => ({
    method,
    path: url.replace(/:(\w+)/g, '{$1}'),
    access,
    summary: schema.summary!,
  })),
)
