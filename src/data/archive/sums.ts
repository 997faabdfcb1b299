import { createHash } from 'node:crypto'

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Yields the same bytes; `report` gets their SHA-256 after the last of them. */
export async function* summed<Chunk extends Uint8Array>(
  body: AsyncIterable<Chunk> | Iterable<Chunk>,
  report: (sum: string) => void,
): AsyncGenerator<Chunk> {
  const hash = createHash('sha256')
  for await (const chunk of body) {
    hash.update(chunk)
    yield chunk
  }
  report(hash.digest('hex'))
}

/** In the text format of COPY a row is one line, and line breaks within it are escaped. */
export function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}
