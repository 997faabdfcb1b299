import { draw, type Line } from './draw.ts'
import type { Cost } from './rows.ts'
import type { Served } from './served.ts'

/** The pictures of docs/performance.md, by their names. */
export function pictures(costs: Cost[], served: Served[]): Record<string, string> {
  return {
    'growth-of-lists-in-blocks': listsBy(costs, 'blocks', 'blocks'),
    'growth-of-lists-in-ms': listsBy(costs, 'p50', 'ms'),
    'growth-of-tenants': servedBy(served, 'tenants', 'From one tenant to five thousand, at 300 requests a second'),
    'growth-of-people': servedBy(served, 'people', 'From 50 people to 50 000, at 300 requests a second'),
    'growth-of-connections': connectionsOf(served),
  }
}

const PARTS = {
  first: 'First page',
  total: 'First page with its total',
  deep: 'A page near the end',
  beside: 'A tenant of 1 000 rows beside it',
}

function listsBy(costs: Cost[], figure: 'blocks' | 'p50', unit: string): string {
  const panel = (part: string, title: string, areSearches: boolean) => {
    const shown = costs.filter((cost) => cost.part === part && isSearch(cost.list) === areSearches)
    const lines = [...Map.groupBy(shown, ({ list }) => list).values()].map((curve): Line => {
      return { name: curve[0]!.family, points: curve.map((cost) => ({ x: cost.rows, y: Math.max(cost[figure], 0.1) })) }
    })
    return { title: `${title}, ${unit}`, lines }
  }
  return draw('All lists, a line for each, from a thousand rows to ten million', [
    ...Object.entries(PARTS).map(([part, title]) => panel(part, title, false)),
    panel('first', 'Searches for what is rare', true),
    panel('total', 'The same with their totals', true),
  ])
}

function isSearch(list: string): boolean {
  return list.startsWith('search: ')
}

function servedBy(served: Served[], of: Served['of'], title: string): string {
  const panel = (name: string, figure: (point: Served) => number) => ({
    title: name,
    lines: linesOf(served, of, figure),
  })
  return draw(title, [
    panel('CPU of Node for each request, ms', ({ server }) => server),
    panel('CPU of PostgreSQL, ms', ({ postgres }) => postgres),
    panel('RSS, MiB', ({ rss }) => rss),
  ])
}

function connectionsOf(served: Served[]): string {
  const panels = (['connections', 'connections of two workers'] as const).flatMap((of, at) => {
    const workers = at === 0 ? 'one process' : 'two workers'
    return [
      { title: `Requests a second, ${workers}`, lines: linesOf(served, of, ({ rate }) => rate) },
      { title: `p50, ms, ${workers}`, lines: linesOf(served, of, ({ p50 }) => p50) },
      { title: `p99, ms, ${workers}`, lines: linesOf(served, of, ({ p99 }) => p99) },
    ]
  })
  return draw('From one connection to 1 024, each asking again as soon as it is answered', panels)
}

function linesOf(served: Served[], of: Served['of'], figure: (point: Served) => number): Line[] {
  const works = Map.groupBy(
    served.filter((point) => point.of === of),
    ({ work }) => work,
  )
  return [...works].map(([name, curve]) => ({
    name,
    points: curve.map((point) => ({ x: point.size, y: Math.max(figure(point), 0.01) })),
  }))
}
