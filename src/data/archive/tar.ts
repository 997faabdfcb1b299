import { once } from 'node:events'
import { createReadStream } from 'node:fs'

/**
 * The part of tar that archives need: plain files, read and written as a stream.
 * @see POSIX.1-1988, "ustar"
 */
const BLOCK = 512
/** Eleven octal digits. Larger sizes are written in base 256, as GNU tar and all current others read them. */
const LARGEST_OCTAL = 8 ** 11 - 1
const BASE_256 = 0x80
const LONGEST_NAME = 100

/** The archive is truncated or damaged, or is not an archive. */
export class BrokenArchive extends Error {
  override name = 'BrokenArchive'
}

export interface Entry {
  name: string
  /** bytes */
  size: number
  /** must be read or skipped before the next entry is requested */
  body: AsyncIterable<Buffer>
}

/**
 * The bytes of an entry: its header, its body, and zeros up to the next block. @throws Error if the body is not `size`
 * bytes
 */
export async function* packEntry(
  name: string,
  size: number,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  yield header(name, size)
  let seen = 0
  for await (const chunk of body) {
    seen += chunk.length
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  }
  if (seen !== size) throw new Error(`${name} has ${seen} bytes, but ${size} were announced`)
  yield Buffer.alloc(paddingOf(size))
}

/** What an archive ends with. */
export const END = Buffer.alloc(2 * BLOCK)

function header(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`${name} does not fit into an archive`)
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0)
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  const octal = (value: number) => `${value.toString(8).padStart(11, '0')}\0`
  if (size <= LARGEST_OCTAL) block.write(octal(size), 124)
  else {
    block[124] = BASE_256
    block.writeBigUInt64BE(BigInt(size), 128)
  }
  block.write(octal(Math.floor(Date.now() / 1000)), 136)
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(sumField(block), 148)
  return block
}

/** @param block with blanks instead of the sum */
function sumField(block: Buffer): string {
  const sum = block.reduce((sum, byte) => sum + byte, 0)
  return `${sum.toString(8).padStart(6, '0')}\0 `
}

function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

/**
 * The entries of an archive, in order. Padding and everything after the last entry must be zeros. @throws BrokenArchive
 */
export async function* readEntries(source: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const bytes = openBytes(source)
  for (;;) {
    const block = Buffer.concat(await Array.fromAsync(bytes.take(BLOCK)))
    if (isZero(block)) return assertEnd(bytes)
    const { name, size } = readHeader(block)
    let left = size
    const body = async function* () {
      for await (const chunk of bytes.take(left)) {
        left -= chunk.length
        yield chunk
      }
    }
    yield { name, size, body: body() }
    for await (const _ of bytes.take(left)) {
      // Skips what the caller did not read.
    }
    for await (const padding of bytes.take(paddingOf(size))) assertZero(padding)
  }
}

/** Called after the first of the two blocks of zeros. Other programs fill up the last record with more of them. */
async function assertEnd(bytes: ReturnType<typeof openBytes>): Promise<void> {
  for await (const block of bytes.take(BLOCK)) assertZero(block)
  for await (const more of bytes.rest()) assertZero(more)
}

const isZero = (bytes: Buffer) => bytes.every((byte) => byte === 0)

function assertZero(bytes: Buffer): void {
  if (!isZero(bytes)) throw new BrokenArchive('it is damaged between two entries or at its end')
}

function readHeader(block: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) =>
    block
      .toString('utf8', from, from + length)
      .split('\0', 1)[0]!
      .trim()
  const blank = Buffer.from(block).fill(' ', 148, 156)
  const isWhole = block.toString('latin1', 148, 156) === sumField(blank)
  const [size, isLarge] = [text(124, 12), block[124] === BASE_256]
  if (text(257, 6) !== 'ustar' || !isWhole || !(isLarge || /^[0-7]+$/.test(size)))
    throw new BrokenArchive('this is not an archive, or it is damaged')
  return {
    name: text(0, 100),
    size: isLarge ? Number(block.readBigUInt64BE(128)) : Number.parseInt(size, 8),
  }
}

/** The entries of the archive at a path. @throws BrokenArchive; an AbortError if it is to stop */
export async function* entriesOf(path: string, stopping?: AbortSignal): AsyncGenerator<Entry> {
  const file = createReadStream(path, { highWaterMark: 2 ** 20, signal: stopping })
  await once(file, 'open')
  try {
    yield* readEntries(file)
  } finally {
    file.destroy()
  }
}

/** Reads the given number of bytes from a stream at a time. */
function openBytes(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  return {
    async *rest(): AsyncGenerator<Buffer> {
      yield rest
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    },
    async *take(count: number): AsyncGenerator<Buffer> {
      for (let left = count; left > 0; ) {
        if (rest.length === 0) {
          const next = await chunks.next()
          if (next.done) throw new BrokenArchive('the archive is cut off')
          rest = next.value
        }
        const part = rest.subarray(0, left)
        rest = rest.subarray(part.length)
        left -= part.length
        yield part
      }
    },
  }
}
