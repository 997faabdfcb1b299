import { existsSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { syncFolder } from '#atrium/files'
import { Refusal } from '../cli/refusal.ts'

/**
 * Writes FILE.part and links it to FILE once all of it is on the disk, so FILE is either complete or absent.
 * @throws Refusal if either name is taken
 */
export async function save(file: string, archive: AsyncIterable<Buffer>): Promise<void> {
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
