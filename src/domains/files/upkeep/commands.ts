import { type CommandLine, type Commands, command } from '#atrium'
import { openStorage } from '../storage/open-storage.ts'
import { sweepFiles } from './sweep.ts'

export function commands({ config, say, sayJson, withDatabase }: CommandLine): Commands {
  const sweep = command({
    about: 'Compare files and table, as the service does every few minutes',
    detail:
      'Bytes without a row are moved into quarantine, and return as soon as a row asks for them. If there are many, nothing is moved.',
    options: {
      although: { type: 'boolean', about: 'move them even if there are many' },
      json: { type: 'boolean', about: 'as JSON' },
    },
    run: async ({ although = false, json }) => {
      const { files, fileQuarantineDays: keepDays } = config()
      const storage = await openStorage(files)
      const options = { although, keepDays }
      const found = await withDatabase((database) => sweepFiles(database, storage, options)).finally(() =>
        storage.close(),
      )
      if (json) sayJson(found)
      else
        say(
          `${found.matched} files match, ${found.returned} returned from quarantine, ${found.quarantined} of ${found.strays.length} without a row were moved there, ${found.orphans.length} rows have no bytes.`,
        )
      return found.orphans.length > 0 || found.quarantined < found.strays.length ? 1 : 0
    },
  })
  return { files: { about: 'Uploaded files', commands: { sweep } } }
}
