import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'

/** The mails that development keeps as files instead of sending them. @param dataDir that of the service */
export function openMailbox(dataDir: string) {
  const folder = join(dataDir, 'mail')
  return {
    /** the newest first */
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
