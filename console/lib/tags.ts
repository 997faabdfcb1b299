import type { Call } from '../../client/index.ts'

/** The ETags of what was read last, by address. */
const tags = new Map<string, string>()

/** Keeps the ETag of an answer to a read. */
export function keepTag(url: string, method: string | undefined, answer: Response): void {
  const tag = answer.headers.get('etag')
  if (tag && (method ?? 'GET') === 'GET') tags.set(new URL(url).pathname, tag)
}

/**
 * Lets a change succeed only if nobody has changed the thing since it was read. Call it right after the read.
 * @param address where it was read, such as `/api/v1/roles/7`
 */
export function ifUnchanged(address: string): Call {
  const tag = tags.get(address)
  return tag ? { headers: { 'if-match': tag } } : {}
}
