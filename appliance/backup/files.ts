import { openStorage, sweepFiles } from '#atrium/files'
import { command, type Group } from '../../src/atrium/command-line.ts'
import { say, sayJson } from '../cli/terminal.ts'
import { configOf, withDatabase } from '../cli/workplace.ts'

const sweep = command({
  about: 'Compare files and table, as the service does every few minutes',
  detail:
    'Bytes without a row are moved into quarantine, and return as soon as a row asks for them. If there are many, nothing is moved.',
  options: {
    although: { type: 'boolean', about: 'move them even if there are many' },
    json: { type: 'boolean', about: 'as JSON' },
  },
  run: async ({ although = false, json }) => {
    const config = configOf(process.env)
    const storage = await openStorage(config.files)
    const options = { although, keepDays: config.fileQuarantineDays }
    const found = await withDatabase(config, (database) => sweepFiles(database, storage, options)).finally(() =>
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

export const files: Group = { about: 'Uploaded files', commands: { sweep } }
