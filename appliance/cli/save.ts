import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type CommandLine, Refusal } from '../../src/atrium/command-line.ts'
import { syncFolder } from '../../src/util/make-folder.ts'
import { unlessStopped } from './terminal.ts'

/** Writes a draft beside FILE and links it to FILE once all of it is on the disk. */
export const save: CommandLine['save'] = async (file, archive, stop) => {
  if (file === '-') return pipeline(archive, process.stdout)
  const taken = new Refusal(`${file} already exists. Name another file, or move that one away.`)
  if (existsSync(file)) throw taken
  await removeAbandoned(file)
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`
  const out = await open(draft, 'wx', 0o600)
  await unlessStopped('Nothing was written.', async (signal) => {
    signal.addEventListener('abort', stop)
    try {
      await pipeline(archive, out.createWriteStream({ flush: true }), { signal })
      await link(draft, file).catch(async (error) => {
        if (error.code === 'EEXIST' || existsSync(file)) throw taken
        if (!HAS_NO_LINKS.has(error.code)) throw error
        await rename(draft, file)
      })
    } finally {
      await rm(draft, { force: true })
    }
  })
  await syncFolder(dirname(file))
}

/** A draft that nobody has written to for so long is of a process that was killed. */
const ABANDONED_MS = 3_600_000

/** Removes what processes that were killed have left of this file. */
async function removeAbandoned(file: string): Promise<void> {
  for (const name of await readdir(dirname(file))) {
    const id = name.startsWith(`${basename(file)}.`) && name.slice(basename(file).length)
    if (!id || !/^\.[0-9a-f]{8}\.part$/.test(id)) continue
    const path = join(dirname(file), name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}

/**
 * What file systems without hard links report. Unlike a link, a rename replaces a file that appeared in the meantime.
 */
const HAS_NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])
