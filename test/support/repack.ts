import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { END, packEntry, readEntries } from '../../src/data/archive/tar.ts'

/** Writes an archive of format 1 from one of today, as versions of then wrote it. @param change alters end.json, which had no sum */
export async function repackAsFormat1(from: string, to: string, change: (end: any) => void = () => {}): Promise<void> {
  const parts: Buffer[] = []
  let sum = ''
  for await (const { name, body } of readEntries(inOne(readFileSync(from)))) {
    let bytes: Buffer = Buffer.concat(await Array.fromAsync(body))
    if (name === 'end.json.sha256') continue
    if (name === 'backup.json') {
      bytes = Buffer.from(bytes.toString().replace(/"format": \d+/, '"format": 1'))
      sum = createHash('sha256').update(bytes).digest('hex')
    }
    if (name === 'end.json') {
      const end = JSON.parse(bytes.toString())
      end.sums['backup.json'] = sum
      change(end)
      bytes = Buffer.from(`${JSON.stringify(end, null, 1)}\n`)
    }
    parts.push(...(await Array.fromAsync(packEntry(name, bytes.length, [bytes]))))
  }
  writeFileSync(to, Buffer.concat([...parts, END]))
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
