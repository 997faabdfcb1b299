import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'

/** The mails that development keeps as files instead of sending them. */
export interface Mailbox {
  /** the newest first */
  list(): Promise<{ id: string; mail: Email }[]>
}

/** @param dataDir that of the service */
export function openMailbox(dataDir: string): Mailbox {
  const folder = join(dataDir, 'mail')
  return {
    async list() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const newest = names.sort().reverse()
      return Promise.all(
        newest.map(async (name) => ({
          id: name.replace('.eml', ''),
          mail: await PostalMime.parse(await readFile(join(folder, name))),
        })),
      )
    },
  }
}
