import type { IncomingMessage } from 'node:http'

/**
 * The one canonical form of an address of the API, so that everything that names, counts or stores it agrees: nothing
 * is escaped without need, and there is no trailing slash. The query is kept.
 * @see RFC 3986, section 6.2.2
 */
export function canonicalTarget(target: string): string {
  const start = target.indexOf('?')
  const path = start < 0 ? target : target.slice(0, start)
  if (!path.includes('%') && !path.endsWith('/')) return target
  const plain = path.replace(/%[0-9a-f]{2}/gi, unescaped)
  const bare = plain.startsWith('/api/') ? plain.replace(/(?<=.)\/$/, '') : plain
  return start < 0 ? bare : bare + target.slice(start)
}

/**
 * Whether a request addresses this service directly: by a path, not by the whole address that a forward proxy gets, and
 * with one host. A proxy in front may have read another one.
 */
export function isPlain({ url = '', headers: { host } }: IncomingMessage): boolean {
  return url.startsWith('/') && !url.includes('#') && !host?.includes(',')
}

function unescaped(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
}
