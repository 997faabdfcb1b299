import { collectRoutes } from './openapi/routes.ts'

/**
 * `npm run routes`: method, path, access and summary of every route, in aligned columns; needs no database. A blank line is
 * around domains that have more than one route.
 */
const routes = (await collectRoutes()).map(({ method, url, access, schema }) => [
  method,
  url.replace(/:(\w+)/g, '{$1}'),
  access,
  schema.summary!,
])
const widths = [0, 1, 2].map((column) => Math.max(...routes.map((route) => route[column]!.length)))
let alone = true
for (const group of Map.groupBy(routes, ([, path]) => path!.split('/')[3]).values()) {
  if (!alone || group.length > 1) console.log()
  alone = group.length === 1
  for (const route of group) console.log(route.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
}
console.log(`\n${routes.length} routes`)
