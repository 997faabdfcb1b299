import type { z } from '#atrium'
import type { OperationQuery, OperationView } from './audit.schemas.ts'

/** One JSON text on each line. @see https://github.com/ndjson/ndjson-spec */
export const LINES = 'application/x-ndjson'

/** Whether an Accept header names a media type, without wildcards: programs that know nothing of it get the other. */
export function accepts(header: string | undefined, type: string): boolean {
  return (header ?? '').split(',').some((range) => range.split(';', 1)[0]!.trim().toLowerCase() === type)
}

/** The filters of the trail; all that are named must hold. */
export type Filters = Omit<z.output<typeof OperationQuery>, 'page' | 'pageSize' | 'after'>

type Filtered = Pick<
  z.output<typeof OperationView>,
  'id' | 'userId' | 'method' | 'path' | 'requestId' | 'status' | 'createdAt'
>

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
