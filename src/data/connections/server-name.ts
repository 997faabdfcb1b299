import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import pg from 'pg'

/** Where the name of the database resolves to. */
export interface ServerName {
  /** Its current addresses; none if it cannot be resolved, or the URL has no name. */
  addresses(): Promise<readonly string[]>
}

/** How long an answer is reused. */
const REMEMBERED_MS = 250

/** The host of the URL. One lookup runs at a time: each occupies a thread, which password hashes need too. */
export function serverName(url: string): ServerName {
  const { host } = new pg.Client({ connectionString: url })
  const isName = !host.startsWith('/') && isIP(host) === 0
  let look: Promise<readonly string[]> | undefined

  async function lookUp(): Promise<readonly string[]> {
    try {
      return (await lookup(host, { all: true })).map(({ address }) => address)
    } catch {
      return []
    } finally {
      setTimeout(() => (look = undefined), REMEMBERED_MS).unref()
    }
  }

  return {
    async addresses() {
      if (!isName) return []
      look ??= lookUp()
      return look
    },
  }
}

/** True if the name resolves, and to none of its previous addresses. */
export function hasMoved(before: readonly string[], now: readonly string[]): boolean {
  return before.length > 0 && now.length > 0 && !before.some((address) => now.includes(address))
}
