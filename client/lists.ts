import { dataOf } from './failure.ts'

/** One row of a list, whichever of the two shapes it has. */
export type Item<List> = List extends (infer Row)[] ? Row : List extends { items: (infer Row)[] } ? Row : never

/**
 * The rows of a list, page after page. A page that names its total is followed until there are no items; an array is
 * followed by its `Link` header, of which only the query is used: the service may be reached under another name.
 * @param ask sends the request with these parameters more
 */
export async function* rowsOf(
  shape: 'page' | 'array',
  ask: (window: object) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<any> {
  let window: Record<string, string | number> | undefined = shape === 'page' ? { page: 1, pageSize: 100 } : {}
  while (window) {
    const answer = await ask(window)
    const data = await dataOf(answer, signal)
    const rows: unknown[] = shape === 'page' ? data.items : data
    yield* rows
    window = shape === 'page' ? nextPage(data) : nextWindow(answer.headers.get('link'))
  }
}

function nextPage({ page, pageSize, total }: { page: number; pageSize: number; total: number }) {
  return page * pageSize < total ? { page: page + 1, pageSize } : undefined
}

/** `<…?page=2&pageSize=500>; rel="next"` → its query */
function nextWindow(link: string | null): Record<string, string> | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return target === undefined ? undefined : Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''))
}
