import { dataOf } from './failure.ts'

/** One row of a list, whichever of the two shapes it has. */
export type Item<List> = List extends (infer Row)[] ? Row : List extends { items: (infer Row)[] } ? Row : never

/**
 * The rows of a list, page after page, along its `Link` header. Only the query of that is used, because the service may be
 * reached under another name.
 * @param ask sends the request with these parameters added
 */
export async function* rowsOf(
  shape: 'page' | 'array',
  ask: (window: object) => Promise<Response>,
  signal: AbortSignal | undefined,
): AsyncGenerator<any> {
  let window: Record<string, string> | undefined = shape === 'page' ? { pageSize: '100' } : {}
  while (window) {
    const answer = await ask(window)
    const data = await dataOf(answer, signal)
    const rows: unknown[] = shape === 'page' ? data.items : data
    yield* rows
    window = nextWindow(answer.headers.get('link'))
  }
}

/** `<…?page=2&pageSize=500>; rel="next"` → its query */
function nextWindow(link: string | null): Record<string, string> | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1]
  return target === undefined ? undefined : Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''))
}
