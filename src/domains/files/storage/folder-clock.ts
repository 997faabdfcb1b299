import { randomBytes } from 'node:crypto'
import { mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** A clock may drift a little for this long, because the compared ages are minutes. */
const GOOD_FOR_MS = 60_000

/**
 * The time of a folder's file system, in epoch ms, taken from a new file there. This machine's clock may differ from that
 * of the machine that stamps the files, or of another replica.
 */
export function openFolderClock(folder: string): () => Promise<number> {
  let known: { at: number; ahead: number } | undefined
  return async () => {
    const at = performance.now()
    if (!known || at - known.at > GOOD_FOR_MS) known = { at, ahead: (await stampOf(folder)) - at }
    return known.ahead + performance.now()
  }
}

async function stampOf(folder: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `.clock-${randomBytes(12).toString('hex')}`)
  const file = await open(path, 'wx', 0o600)
  try {
    return (await file.stat()).mtimeMs
  } finally {
    await file.close()
    await unlink(path)
  }
}
