import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import pg from 'pg'

/** Where the name of the database leads. */
export interface ServerName {
  /** Its addresses at this moment; none when it cannot be looked up, or the URL has no name. */
  addresses(): Promise<readonly string[]>
}

/** So long an answer is good for. */
const REMEMBERED_MS = 250

/** The host of the URL. One look is under way at a time: each occupies a thread, which password hashes need as well. */
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

/** True when the name leads somewhere, and nowhere to where it led before. */
export function hasMoved(before: readonly string[], now: readonly string[]): boolean {
  return before.length > 0 && now.length > 0 && !before.some((address) => now.includes(address))
}
