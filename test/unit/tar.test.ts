import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BrokenArchive, packEntry, readEntries } from '../../src/data/archive/tar.ts'
import { packed } from '../support/archive.ts'
import { newFolder } from '../support/folder.ts'

type File = { name: string; body: Buffer }

const pack = (files: File[]) => packed(files.map(({ name, body }) => [name, body]))

/** In chunks of so many bytes, as a stream brings them. */
async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function unpack(source: AsyncIterable<Buffer>, skip: (name: string) => boolean = () => false): Promise<File[]> {
  const files: File[] = []
  for await (const { name, body } of readEntries(source))
    if (!skip(name)) files.push({ name, body: Buffer.concat(await Array.fromAsync(body)) })
  return files
}

const someFiles = fc.array(
  fc.record({ name: fc.stringMatching(/^[a-z]{1,20}(\/[a-z0-9.]{1,40})?$/), body: fc.uint8Array({ maxLength: 3000 }) }),
  { maxLength: 6 },
)

describe('an archive', () => {
  test('gives back what was put in, whatever the chunks it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(someFiles, fc.integer({ min: 1, max: 5000 }), async (given, size) => {
        const files = given.map(({ name, body }) => ({ name, body: Buffer.from(body) }))
        expect(await unpack(inChunks(await pack(files), size))).toEqual(files)
      }),
    )
  })

  test('is read by the tar of this machine, and that one writes what is read here', async () => {
    const dir = newFolder()
    const files = [0, 1, 511, 512, 513].map((size) => ({ name: `folder/${size}.txt`, body: Buffer.alloc(size, 'x') }))
    writeFileSync(join(dir, 'ours.tar'), await pack(files))
    execFileSync('tar', ['xf', 'ours.tar'], { cwd: dir })
    for (const { name, body } of files) expect(readFileSync(join(dir, name))).toEqual(body)
    execFileSync('tar', ['--format=ustar', '-cf', 'theirs.tar', ...files.map(({ name }) => name)], { cwd: dir })
    expect(await unpack(inChunks(readFileSync(join(dir, 'theirs.tar')), 1000))).toEqual(files)
  })

  test('is refused for every byte of it that is no body: headers, what fills up blocks, and the end', async () => {
    const whole = await pack([{ name: 'a', body: Buffer.alloc(100, 'a') }])
    const taken: string[] = []
    for (let at = 0; at < whole.length; at = at === 511 ? 612 : at + 1) {
      const bit = 1 << (at % 8)
      whole[at]! ^= bit
      await unpack(inChunks(whole, whole.length)).then(
        () => taken.push(`bit ${bit} of byte ${at}`),
        () => {},
      )
      whole[at]! ^= bit
    }
    expect(taken).toEqual([])
    expect(await unpack(inChunks(whole, 4096))).toHaveLength(1)
  })

  test.each([' '.repeat(12), '9'.padStart(11, '0')])(
    'whose header fits and has the size "%s" is refused',
    async (size) => {
      const block = (await packEntry('a', 1, []).next()).value as Buffer
      block.write(size, 124)
      block.write(' '.repeat(8), 148)
      block.write(
        `${block
          .reduce((sum, byte) => sum + byte)
          .toString(8)
          .padStart(6, '0')}\0 `,
        148,
      )
      await expect(unpack(inChunks(block, 512))).rejects.toThrow(BrokenArchive)
    },
  )

  test.each([8 ** 11 - 1, 8 ** 11, 2 ** 45])('tells a size of %i bytes', async (size) => {
    const { value: header } = await packEntry('large', size, []).next()
    const { value: entry } = await readEntries(inChunks(header as Buffer, 512)).next()
    expect(entry).toMatchObject({ name: 'large', size })
  })
})
