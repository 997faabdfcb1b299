import { fileStore } from '#atrium'
import { command, Refusal } from '../../src/atrium/command-line.ts'
import { save } from '../cli/save.ts'
import { openProgress, remark } from '../cli/terminal.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
import { openSnapshot } from './snapshot.ts'
import { type Written, writeArchive } from './write-archive.ts'

export const backup = command({
  about: 'Write the current database and files into one archive',
  detail: `The service keeps running. FILE is new, or - for stdout. It is a tar archive; anyone who can read it can read everything
in the database. Signing keys and passwords of the configuration are not included. Exit code 1 if files were missing or damaged.`,
  operands: ['FILE'],
  options: {
    files: {
      type: 'string',
      value: 'bytes|sums',
      about: 'whether to include the bytes of files, or only their sums; by default bytes, with FILE_STORAGE=s3 sums',
    },
  },
  run: async ({ files }, file: string) => {
    const config = configOf(process.env)
    const kind = files ?? (config.files.storage === 's3' ? 'sums' : 'bytes')
    if (kind !== 'bytes' && kind !== 'sums') throw new Refusal('--files is bytes or sums.')
    const written: Written = { rows: 0, files: 0, deleted: 0, damaged: [] }
    const storage = await fileStore.get().open(config.files)
    const progress = openProgress()
    await withUrl(config, async (url) => {
      const snapshot = await openSnapshot(config.migrationUrl ?? url)
      try {
        await save(file, writeArchive(snapshot, storage, kind, written, progress.tell), snapshot.close)
      } finally {
        await snapshot.close()
        storage.close()
        progress.end()
      }
    })
    const left = written.deleted ? `; ${written.deleted} were deleted meanwhile and are not included` : ''
    remark(`${written.rows} rows and ${written.files} files${kind === 'sums' ? ' (their sums)' : ''}${left}.`)
    for (const name of written.damaged) remark(`missing or damaged: ${name}`)
    return written.damaged.length > 0 ? 1 : 0
  },
})
