/** One JSON text on each line. @see https://github.com/ndjson/ndjson-spec */
export const LINES = 'application/x-ndjson'

/** Whether an Accept header names a media type, without wildcards: programs that know nothing of it get the other. */
export function accepts(header: string | undefined, type: string): boolean {
  return (header ?? '').split(',').some((range) => range.split(';', 1)[0]!.trim().toLowerCase() === type)
}

/** The filters of the trail; all that are named must hold. */
export interface Filters {
  userId?: number | undefined
  method?: string | undefined
  /** the beginning of the path */
  path?: string | undefined
  requestId?: string | undefined
  status?: number | undefined
  /** ISO instants: from the first on, before the second */
  from?: string | undefined
  to?: string | undefined
  /** only rows below this id */
  before?: number | undefined
}

interface Filtered {
  id: number
  userId: number | null
  method: string
  path: string
  requestId: string
  status: number
  createdAt: string
}

/** Filters a stream of the whole trail, which reads every row anyway. */
export function isWanted(
  row: Filtered,
  { userId, method, path, requestId, status, from, to, before }: Filters,
): boolean {
  const at = Date.parse(row.createdAt)
  return (
    (userId === undefined || row.userId === userId) &&
    (method === undefined || row.method === method) &&
    (path === undefined || row.path.startsWith(path)) &&
    (requestId === undefined || row.requestId === requestId) &&
    (status === undefined || row.status === status) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    (before === undefined || row.id < before)
  )
}
