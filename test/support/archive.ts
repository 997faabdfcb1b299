import { createReadStream, writeFileSync } from 'node:fs'
import { CLOSING, CLOSING_SUM, sumLine } from '../../appliance/backup/format.ts'
import { sha256 } from '../../src/data/archive/sums.ts'
import { END, packEntry, readEntries } from '../../src/data/archive/tar.ts'

/** The entries of an archive in their order, by name. */
export async function entriesOf(source: AsyncIterable<Buffer>): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  for await (const { name, body } of readEntries(source)) entries.set(name, Buffer.concat(await Array.fromAsync(body)))
  return entries
}

/** The bytes of an archive of these entries. */
export async function packed(bodies: Iterable<[name: string, body: Buffer]>): Promise<Buffer> {
  const parts: Buffer[] = []
  for (const [name, body] of bodies) parts.push(...(await Array.fromAsync(packEntry(name, body.length, [body]))))
  return Buffer.concat([...parts, END])
}

/** Writes a backup whose end says something else, with the sum that fits it. @param change alters end.json */
export async function repack(from: string, to: string, change: (end: any) => void): Promise<void> {
  const entries = await entriesOf(createReadStream(from))
  const end = JSON.parse(entries.get(CLOSING)!.toString())
  change(end)
  const text = Buffer.from(`${JSON.stringify(end, null, 1)}\n`)
  writeFileSync(to, await packed(entries.set(CLOSING, text).set(CLOSING_SUM, Buffer.from(sumLine(sha256(text))))))
}
