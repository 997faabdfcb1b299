import type { FileBytes } from '#atrium'
import { keepFile } from '../../src/atrium/archive-file.ts'
import { type Progress, Refusal } from '../../src/atrium/command-line.ts'
import { summed } from '../../src/data/archive/sums.ts'
import { entriesOf } from '../../src/data/archive/tar.ts'
import { fileEntry } from './format.ts'
import { openRefill } from './refill.ts'
import type { Verified } from './verify-archive.ts'

/**
 * Stores the files and inserts the rows into the tables, which are empty. All rows are committed together, after every
 * sum was compared again: the archive is read a second time, and a disk may return different bytes.
 * @returns how many there were, and the files whose bytes are neither in the archive nor in the storage
 * @throws Refusal if the archive is not what was verified; then the tables stay empty
 */
export async function loadArchive(
  path: string,
  { manifest, closing }: Verified,
  url: string,
  storage: FileBytes,
  progress: Progress,
) {
  const refill = await openRefill(url, manifest.tables)
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  let [files, bytes] = [0, 0]
  try {
    for await (const entry of entriesOf(path)) {
      const [kind, owner, rest] = entry.name.split('/')
      let sum = ''
      const body = summed(entry.body, (it) => (sum = it))
      if (kind === 'files') {
        await keepFile(storage, Number(owner), rest!, { ...entry, body }, closing.sums[entry.name]!)
        bytes += entry.size
        progress('files', ++files, bytes)
      } else if (kind === 'tables') {
        await refill.take(tables.get(owner!)!, body)
        progress(owner!, closing.rows[owner!]!, entry.size)
      } else continue
      if (sum !== closing.sums[entry.name])
        throw new Refusal(`The second read of ${path} differed at ${entry.name}: copy it to another disk.`)
    }
    await refill.commit(closing.sequences, closing.rows)
  } finally {
    await refill.close()
  }
  const missing: string[] = []
  for (const file of manifest.files === 'sums' ? closing.files : [])
    if ((await storage.ageOf(file.tenantId, file.filename)) === undefined) missing.push(fileEntry(file))
  return { rows: Object.values(closing.rows).reduce((sum, rows) => sum + rows, 0), files, missing }
}
