import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { isStoredName, type Storage } from '#atrium/files'
import { isSumOf, type KnownMigration } from '../../src/data/setup/migrations.ts'
import { Refusal } from '../cli/refusal.ts'
import { CLOSING, type Closing, FORMAT, fileEntry, MANIFEST, type Manifest, type Progress } from './format.ts'
import { openRefill } from './refill.ts'
import { BrokenArchive, type Entry, readEntries } from './tar.ts'

export interface Verified {
  manifest: Manifest
  closing: Closing
}

/** Reads the whole archive and compares every sum, before anything is changed. @throws Refusal naming what is wrong */
export async function verifyArchive(path: string, progress: Progress): Promise<Verified> {
  return verify(path, progress).catch((error) => {
    throw error instanceof BrokenArchive ? damaged(path, error.message) : error
  })
}

async function verify(path: string, progress: Progress): Promise<Verified> {
  const sums: Record<string, string> = {}
  let manifest: Manifest | undefined
  let closing: Closing | undefined
  let bytes = 0
  for await (const entry of entriesOf(path)) {
    if (closing) throw damaged(path, `${entry.name} stands behind its end`)
    const hash = createHash('sha256')
    const kept: Buffer[] = []
    for await (const chunk of entry.body) {
      hash.update(chunk)
      bytes += chunk.length
      if (entry.name === MANIFEST || entry.name === CLOSING) kept.push(chunk)
    }
    if (entry.name === CLOSING) closing = JSON.parse(Buffer.concat(kept).toString())
    else sums[entry.name] = hash.digest('hex')
    if (entry.name === MANIFEST) manifest = JSON.parse(Buffer.concat(kept).toString())
    progress('verified', Object.keys(sums).length, bytes)
  }
  if (!manifest) throw new Refusal(`${path} is no backup of Atrium.`)
  if (manifest.format !== FORMAT)
    throw new Refusal(`${path} was made by another version (format ${manifest.format}); restore it with that.`)
  if (!closing) throw damaged(path, 'its end is missing')
  const names = new Set([...Object.keys(sums), ...Object.keys(closing.sums)])
  for (const name of names)
    if (sums[name] !== closing.sums[name]) throw damaged(path, `${name} is not what was written`)
  return { manifest, closing }
}

/** @throws Refusal where this version cannot make the tables as they were */
export function assertKnown({ migrations }: Manifest, known: readonly KnownMigration[]): void {
  const texts = new Map(known.map(({ name, sql }) => [name, sql]))
  const strange = migrations
    .filter(({ name, checksum }) => !texts.has(name) || !isSumOf(texts.get(name)!, checksum))
    .map(({ name }) => name)
  if (strange.length > 0)
    throw new Refusal(
      `The backup was made by a newer version, or with domains that are not loaded here; this one does not know ${strange.join(', ')}. Restore it with that version, then update.`,
    )
}

export interface Restored {
  rows: number
  files: number
  /** files whose bytes are not part of the archive and not in the storage either */
  missing: string[]
}

/** Puts the files in their places and the rows into the tables, which are empty. Rows come last, all at once. */
export async function loadArchive(
  path: string,
  { manifest, closing }: Verified,
  url: string,
  storage: Storage,
  progress: Progress,
): Promise<Restored> {
  const refill = await openRefill(url, manifest.tables)
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  let [files, bytes] = [0, 0]
  try {
    for await (const entry of entriesOf(path)) {
      const [kind, owner, rest] = entry.name.split('/')
      if (kind === 'files') {
        await keepFile(storage, Number(owner), rest!, entry, closing.sums[entry.name]!)
        bytes += entry.size
        progress('files', ++files, bytes)
      } else if (kind === 'tables') {
        await refill.take(tables.get(owner!)!, entry.body)
        progress(owner!, closing.rows[owner!]!, entry.size)
      }
    }
    await refill.commit(closing.sequences)
  } finally {
    await refill.close()
  }
  const wrong = Object.entries(closing.rows).filter(([name, rows]) => rows !== (refill.counts[name] ?? 0))
  if (wrong.length > 0) throw new Error(`Not all rows arrived: ${wrong.map(([name]) => name).join(', ')}`)
  const missing: string[] = []
  for (const file of manifest.files === 'sums' ? closing.files : [])
    if ((await storage.ageOf(file.tenantId, file.filename)) === undefined) missing.push(fileEntry(file))
  return { rows: Object.values(closing.rows).reduce((sum, rows) => sum + rows, 0), files, missing }
}

/** The way of an upload: first whole and on the disk, then in its place. */
async function keepFile(
  storage: Storage,
  tenantId: number,
  filename: string,
  entry: Entry,
  sha256: string,
): Promise<void> {
  if (!isStoredName(filename) || !Number.isSafeInteger(tenantId)) throw new Refusal(`${entry.name} is no file of ours.`)
  const spooled = await storage.spool.open(tenantId)
  try {
    for await (const chunk of entry.body) await spooled.write(chunk)
    await spooled.finish()
    const contentType = 'application/octet-stream'
    await storage.put(tenantId, filename, { path: spooled.path, size: entry.size, sha256, contentType })
  } finally {
    await spooled.discard()
  }
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const file = createReadStream(path, { highWaterMark: 2 ** 20 })
  await once(file, 'open')
  try {
    yield* readEntries(file)
  } finally {
    file.destroy()
  }
}

function damaged(path: string, what: string): Refusal {
  return new Refusal(`${path} cannot be restored: ${what}. Nothing was changed.`)
}
