import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { damaged } from '../../src/atrium/archive-file.ts'
import { type Progress, Refusal } from '../../src/atrium/command-line.ts'
import { linesIn, sha256, summed } from '../../src/data/archive/sums.ts'
import { BrokenArchive, entriesOf } from '../../src/data/archive/tar.ts'
import { checksumOf, type KnownMigration } from '../../src/data/setup/migrations.ts'
import { CLOSING, CLOSING_SUM, Closing, FORMAT, MANIFEST, Manifest, sumLine, tableOf } from './format.ts'

export interface Verified {
  manifest: Manifest
  closing: Closing
}

/**
 * Reads the whole archive and compares every sum and every row count, before anything is changed.
 * @throws Refusal that names the problem
 */
export async function verifyArchive(path: string, progress: Progress): Promise<Verified> {
  const found = await readThrough(path, progress).catch((error) => {
    throw error instanceof BrokenArchive ? damaged(path, error.message) : error
  })
  const manifestText = found.texts.get(MANIFEST)
  if (!manifestText) throw new Refusal(`${path} is not a backup of Atrium.`)
  assertFormat(path, manifestText)
  const [closingText, closingSum] = [found.texts.get(CLOSING), found.texts.get(CLOSING_SUM)]
  if (!closingText || !closingSum) throw damaged(path, 'its end is missing')
  const changed = (name: string) => damaged(path, `${name} differs from what was written`)
  if (closingSum.toString() !== sumLine(sha256(closingText))) throw changed(CLOSING)
  const closing = parse(path, CLOSING, Closing, closingText)
  for (const name of new Set([...Object.keys(found.sums), ...Object.keys(closing.sums)]))
    if (found.sums[name] !== closing.sums[name]) throw changed(name)
  const manifest = parse(path, MANIFEST, Manifest, manifestText)
  const rows = Object.fromEntries(manifest.tables.map(({ name }) => [name, found.rows[name] ?? 0]))
  if (!isDeepStrictEqual(rows, closing.rows)) throw damaged(path, 'the tables do not have as many rows as were written')
  return { manifest, closing }
}

/** Sums and counts of the entries, and the text of those that are JSON or a checksum. */
async function readThrough(path: string, progress: Progress) {
  const sums: Record<string, string> = {}
  const rows: Record<string, number> = {}
  const texts = new Map<string, Buffer>()
  let bytes = 0
  for await (const { name, body } of entriesOf(path)) {
    const isAfter = texts.has(CLOSING) && (name !== CLOSING_SUM || texts.has(CLOSING_SUM))
    if (isAfter) throw damaged(path, `${name} comes after its end`)
    if (name in sums) throw damaged(path, `${name} occurs twice`)
    const isText = [MANIFEST, CLOSING, CLOSING_SUM].includes(name)
    const table = tableOf(name)
    const kept: Buffer[] = []
    for await (const chunk of summed(body, (sum) => (sums[name] = sum))) {
      bytes += chunk.length
      if (isText) kept.push(chunk)
      if (table) rows[table] = (rows[table] ?? 0) + linesIn(chunk)
    }
    if (isText) texts.set(name, Buffer.concat(kept))
    progress('verified', Object.keys(sums).length, bytes)
  }
  delete sums[CLOSING]
  delete sums[CLOSING_SUM]
  return { sums, rows, texts }
}

/** Checked first: an archive of a later format may lack what this version looks for. */
function assertFormat(path: string, manifest: Buffer): void {
  const [, format] = /"format":\s*(\d+)/.exec(manifest.toString()) ?? []
  if (Number(format) > FORMAT)
    throw new Refusal(`${path} was made by a newer version (format ${format}); restore it with that version.`)
}

function parse<Shape extends z.ZodType>(path: string, name: string, shape: Shape, text: Buffer): z.infer<Shape> {
  try {
    return shape.parse(JSON.parse(text.toString()))
  } catch {
    throw damaged(path, `${name} differs from what was written`)
  }
}

/** @throws Refusal if this version cannot make the tables as they were */
export function assertKnown({ migrations }: Manifest, known: readonly KnownMigration[]): void {
  const texts = new Map(known.map(({ name, sql }) => [name, sql]))
  const strange = migrations
    .filter(({ name, checksum }) => !texts.has(name) || checksumOf(texts.get(name)!) !== checksum)
    .map(({ name }) => name)
  if (strange.length > 0)
    throw new Refusal(
      `The backup was made by a newer version, or with domains that are not loaded here; this version does not know ${strange.join(', ')}. Restore it with that version, then update.`,
    )
}
