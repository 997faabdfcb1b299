import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { END, packEntry, readEntries } from '../../src/data/archive/tar.ts'

/** Writes an archive whose end says something else, with the sum that fits it. @param change alters end.json */
export async function repack(from: string, to: string, change: (end: any) => void): Promise<void> {
  const parts: Buffer[] = []
  let sum = ''
  for await (const { name, body } of readEntries(inOne(readFileSync(from)))) {
    let bytes: Buffer = Buffer.concat(await Array.fromAsync(body))
    if (name === 'end.json') {
      const end = JSON.parse(bytes.toString())
      change(end)
      bytes = Buffer.from(`${JSON.stringify(end, null, 1)}\n`)
      sum = createHash('sha256').update(bytes).digest('hex')
    }
    if (name === 'end.json.sha256') bytes = Buffer.from(`${sum}  end.json\n`)
    parts.push(...(await Array.fromAsync(packEntry(name, bytes.length, [bytes]))))
  }
  writeFileSync(to, Buffer.concat([...parts, END]))
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
