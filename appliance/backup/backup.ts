import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openStorage, syncFolder } from '#atrium/files'
import { command } from '../cli/command.ts'
import { Refusal } from '../cli/refusal.ts'
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
    const left = written.deleted ? `; ${written.deleted} were deleted meanwhile and are not included` : ''
    remark(`${written.rows} rows and ${written.files} files${kind === 'sums' ? ' (their sums)' : ''}${left}.`)
    for (const name of written.damaged) remark(`missing or damaged: ${name}`)
    return written.damaged.length > 0 ? 1 : 0
  },
})

/**
 * Writes FILE.part and links it to FILE once all of it is on the disk, so FILE is either complete or absent.
 * @throws Refusal if either name is taken
 */
async function save(file: string, archive: AsyncIterable<Buffer>): Promise<void> {
  if (file === '-') return pipeline(archive, process.stdout)
  const draft = `${file}.part`
  const taken = new Refusal(`${file} already exists. Name another file, or move that one away.`)
  if (existsSync(file)) throw taken
  const out = await open(draft, 'wx', 0o600).catch((error) => {
    throw error.code === 'EEXIST' ? new Refusal(underWay(draft)) : error
  })
  try {
    await pipeline(archive, out.createWriteStream({ flush: true }), { signal: stopped() })
    await link(draft, file).catch(async (error) => {
      if (error.code === 'EEXIST' || existsSync(file)) throw taken
      if (!HAS_NO_LINKS.has(error.code)) throw error
      await rename(draft, file)
    })
  } catch (error) {
    await rm(draft, { force: true })
    throw (error as Error).name === 'AbortError' ? new Refusal('Stopped. No backup was written.') : error
  }
  await rm(draft, { force: true })
  await syncFolder(dirname(file))
}

/**
 * What file systems without hard links report. Unlike a link, a rename replaces a file that appeared in the meantime.
 */
const HAS_NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

const underWay = (draft: string) =>
  `${draft} exists: another backup is writing it, or was killed. If none is running, remove it: rm ${draft}`

/** Ctrl-C and an orderly stop leave no file behind. */
function stopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  return stop.signal
}
