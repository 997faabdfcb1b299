import type { FileBytes } from '#atrium'
import type { Progress } from '../../src/atrium/command-line.ts'
import { withBytes } from '../../src/data/archive/stored-files.ts'
import { linesIn, sha256, summed } from '../../src/data/archive/sums.ts'
import { END, packEntry } from '../../src/data/archive/tar.ts'
import {
  CLOSING,
  CLOSING_SUM,
  type Closing,
  FORMAT,
  fileEntry,
  MANIFEST,
  type Manifest,
  rowsEntry,
  sumLine,
} from './format.ts'
import type { DumpedFile, DumpedTable, Snapshot } from './snapshot.ts'

/** The rows of a table are grouped into parts of about this size, because an entry states its size before it begins. */
const PART_BYTES = 4 * 2 ** 20

export interface Written {
  rows: number
  files: number
  /** number of files that were deleted while the backup ran and are not included */
  deleted: number
  /** files whose bytes are missing or do not match their row; their rows are included */
  damaged: string[]
}

/**
 * The bytes of a backup, as a stream. Files come before the rows. If a file was deleted after the snapshot, its row is
 * left out as well, so that what is restored is consistent.
 */
export async function* writeArchive(
  snapshot: Snapshot,
  storage: FileBytes,
  files: Manifest['files'],
  written: Written,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const { takenAt, database, serverVersion, migrations, tables } = snapshot
  const closing: Closing = { sums: {}, rows: {}, sequences: {}, files: [] }
  const manifest: Manifest = {
    ...{ format: FORMAT, takenAt: takenAt.toISOString(), database, serverVersion, migrations, tables, files },
  }
  const gone: DumpedFile[] = []
  const add = (name: string, size: number, body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) =>
    packEntry(
      name,
      size,
      summed(body, (sum) => (closing.sums[name] = sum)),
    )

  yield* whole(add, MANIFEST, json(manifest))
  let [count, bytes] = [0, 0]
  const read = async (file: DumpedFile) =>
    files === 'bytes'
      ? storage.read(file.tenantId, file.filename)
      : (await isStored(storage, file))
        ? IN_PLACE
        : undefined
  for await (const { file, found } of withBytes(snapshot, read, gone)) {
    if (found?.body) yield* add(fileEntry(file), found.size, found.body)
    const isSound = found?.body ? closing.sums[fileEntry(file)] === file.sha256 : found !== undefined
    if (!isSound) written.damaged.push(fileEntry(file))
    closing.files.push(file)
    bytes += found?.size ?? 0
    progress('files', ++count, bytes)
  }
  for (const table of tables) yield* rowsOf(table)
  closing.sequences = await snapshot.sequences()
  const end = json(closing)
  yield* whole(packEntry, CLOSING, end)
  yield* whole(packEntry, CLOSING_SUM, Buffer.from(sumLine(sha256(end))))
  yield END
  written.files = closing.files.length
  written.deleted = gone.length
  written.rows = Object.values(closing.rows).reduce((sum, rows) => sum + rows, 0)

  async function* rowsOf(table: DumpedTable): AsyncGenerator<Buffer> {
    let [part, size, rows, total]: [Buffer[], number, number, number] = [[], 0, 0, 0]
    let parts = 0
    const flush = () => {
      const ready = part
      part = []
      return add(
        rowsEntry(table, ++parts),
        ready.reduce((sum, chunk) => sum + chunk.length, 0),
        ready,
      )
    }
    for await (const chunk of snapshot.rows(table, gone)) {
      part.push(chunk)
      size += chunk.length
      rows += linesIn(chunk)
      if (size < PART_BYTES) continue
      total += size
      size = 0
      progress(table.name, rows, total)
      yield* flush()
    }
    if (size > 0) yield* flush()
    closing.rows[table.name] = rows
    progress(table.name, rows, total + size)
  }
}

/** Bytes that stay in the storage. */
const IN_PLACE = { size: 0, body: undefined }

async function isStored(storage: FileBytes, { tenantId, filename }: DumpedFile): Promise<boolean> {
  return (await storage.ageOf(tenantId, filename)) !== undefined
}

function json(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`)
}

function whole(add: typeof packEntry, name: string, bytes: Buffer): AsyncGenerator<Buffer> {
  return add(name, bytes.length, [bytes])
}
