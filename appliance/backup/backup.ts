import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openStorage } from '#atrium/files'
import { command } from '../cli/command.ts'
import { Refusal } from '../cli/refusal.ts'
import { openProgress, remark } from '../cli/terminal.ts'
import { configOf, withUrl } from '../cli/workplace.ts'
import { openSnapshot } from './snapshot.ts'
import { type Written, writeArchive } from './write-archive.ts'

export const backup = command({
  about: 'Write the database and the files of this moment into one archive',
  detail: `The service goes on meanwhile. FILE is new, or - for stdout. It is a tar archive; whoever can read it reads everything that
is in the database. Signing keys and passwords of the configuration are no part of it. Exit code 1 when files were missing or damaged.`,
  operands: ['FILE'],
  options: {
    files: {
      type: 'string',
      value: 'bytes|sums',
      about:
        'whether the bytes of files are part of it, or only their sums; by default bytes, with FILE_STORAGE=s3 sums',
    },
  },
  run: async ({ files }, file: string) => {
    const config = configOf(process.env)
    const kind = files ?? (config.files.storage === 's3' ? 'sums' : 'bytes')
    if (kind !== 'bytes' && kind !== 'sums') throw new Refusal('--files is bytes or sums.')
    const written: Written = { rows: 0, files: 0, deleted: 0, damaged: [] }
    const storage = await openStorage(config.files)
    const progress = openProgress()
    await withUrl(config, async (url) => {
      const snapshot = await openSnapshot(config.migrationUrl ?? url)
      try {
        await save(file, writeArchive(snapshot, storage, kind, written, progress.tell))
      } finally {
        await snapshot.close()
        storage.close()
        progress.end()
      }
    })
    const left = written.deleted ? `; ${written.deleted} were deleted meanwhile, and are no part of it` : ''
    remark(`${written.rows} rows and ${written.files} files${kind === 'sums' ? ' (their sums)' : ''}${left}.`)
    for (const name of written.damaged) remark(`missing or damaged: ${name}`)
    return written.damaged.length > 0 ? 1 : 0
  },
})

/** Written beside its place and moved there when it is whole and on the disk: a name stands for a complete backup. */
async function save(file: string, archive: AsyncIterable<Buffer>): Promise<void> {
  if (file === '-') return pipeline(archive, process.stdout)
  const draft = `${file}.part`
  const taken = await open(file, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? new Refusal(`${file} is there already.`) : error
  })
  await taken.close()
  try {
    await pipeline(archive, createWriteStream(draft, { mode: 0o600, flush: true }))
    await rename(draft, file)
  } catch (error) {
    await Promise.all([draft, file].map((path) => rm(path, { force: true })))
    throw error
  }
}
