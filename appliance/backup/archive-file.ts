import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { Refusal } from '../cli/refusal.ts'
import { type Entry, readEntries } from './tar.ts'

/** The entries of the archive at a path. @throws BrokenArchive */
export async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const file = createReadStream(path, { highWaterMark: 2 ** 20 })
  await once(file, 'open')
  try {
    yield* readEntries(file)
  } finally {
    file.destroy()
  }
}

export function damaged(path: string, what: string): Refusal {
  return new Refusal(`${path} cannot be restored: ${what}. Nothing was changed.`)
}
