import { fileTypeFromBuffer } from 'file-type'
import { describe, expect, test } from 'vitest'
import { inspect, KINDS } from '../../src/domains/files/uploads/magic.ts'
import { zipOf } from '../support/form.ts'

const WORD = zipOf(['[Content_Types].xml', 'word/document.xml'])
/** openpyxl and others write the list of types last. */
const EXCEL = zipOf(['xl/workbook.xml', '[Content_Types].xml'])
const POWERPOINT = zipOf(['[Content_Types].xml', 'ppt/presentation.xml'])

const GOOD: Record<string, Buffer> = {
  png: latin1('\x89PNG\r\n\x1a\n....'),
  jpg: latin1('\xff\xd8\xff\xe0\0\x10JFIF\0'),
  jpeg: latin1('\xff\xd8\xff\xe1\0\x18Exif\0\0'),
  webp: latin1('RIFF\x10\0\0\0WEBPVP8 '),
  gif: latin1('GIF89a'),
  pdf: latin1('%PDF-1.7\n'),
  txt: Buffer.from('Grüße, 世界 😀'),
  md: Buffer.from('# Title'),
  csv: Buffer.from('\ufeffa;b\r\n1;2'),
  docx: WORD,
  xlsx: EXCEL,
  pptx: POWERPOINT,
  zip: zipOf(['anything']),
}

test('every accepted extension is tried here', () => {
  expect(Object.keys(GOOD)).toEqual([...KINDS.keys()])
})

describe.each(Object.entries(GOOD))('%s', (extension, bytes) => {
  test.each([1, 3, 7, 1000])('is recognised in pieces of %i bytes', async (size) => {
    expect(await verdict(extension, bytes, size)).toBe(KINDS.get(extension)!.contentType)
  })

  test.each(Object.entries(GOOD).filter(([other, body]) => mustDiffer(extension, other, body)))(
    'is not %s',
    async (_, body) => {
      expect(await verdict(extension, body, 1000)).toBeUndefined()
    },
  )

  test('is not HTML, nor a script in SVG, nor nothing', async () => {
    const { text, contentType } = KINDS.get(extension)!
    const judged = text ? contentType : undefined
    for (const body of ['<!doctype html><script>alert(1)</script>', '<svg xmlns="http://www.w3.org/2000/svg"/>'])
      expect(await verdict(extension, Buffer.from(body), 1000)).toBe(judged)
    expect(await verdict(extension, Buffer.alloc(0), 1)).toBe(judged)
  })
})

describe('text', () => {
  test.each([
    ['a NUL', Buffer.from('a\0b')],
    ['UTF-16 without a byte order mark', Buffer.from('hello', 'utf16le')],
    ['UTF-16 with a control', Buffer.from('\ufeffa\0b', 'utf16le')],
    ['UTF-16 that breaks off', Buffer.from('\ufeffhello', 'utf16le').subarray(0, 9)],
    ['UTF-16 with half a pair', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00])],
  ])('is not %s', async (_, body) => {
    for (const size of [1, 1000]) expect(await verdict('txt', body, size)).toBeUndefined()
  })
})

describe('text of Excel', () => {
  const table = '\ufeff姓名\t金额\r\n张三\t12,50 €\r\n'
  test.each([
    ['little-endian', Buffer.from(table, 'utf16le')],
    ['big-endian', Buffer.from(table, 'utf16le').swap16()],
  ])('comes in UTF-16, %s, and says so when it is served', async (_, body) => {
    for (const size of [1, 3, 1000]) {
      expect(await verdict('csv', body, size)).toBe('text/csv; charset=utf-16')
      expect(await verdict('txt', body, size)).toBe('text/plain; charset=utf-16')
      expect(await verdict('md', body, size)).toBe('text/markdown; charset=utf-16')
    }
  })
})

describe('text in an old encoding', () => {
  test.each([
    ['GBK', Buffer.from('d0d5c3fb2cbde0b6ee0d0ad5c5c8fd2c31322e35300d0a', 'hex')],
    ['Windows-1252', latin1('Straße;Preis\r\nKönig;\x8012,50\r\n')],
    ['Shift-JIS', Buffer.from('96bc914f2c8bfe8a7a0d0a', 'hex')],
    ['Windows-1251', Buffer.from('c8ecff3bd6e5ede00d0a', 'hex')],
    ['Latin-1 behind much ASCII', latin1(`${'a;b\r\n'.repeat(500)}\xfc;\xdf\t1`)],
    ['none that is known', Buffer.from([0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x98])],
  ])('such as %s is served without a charset', async (_, body) => {
    for (const size of [1, 7, 1000]) {
      expect(await verdict('csv', body, size)).toBe('text/csv')
      expect(await verdict('txt', body, size)).toBe('text/plain')
      expect(await verdict('md', body, size)).toBe('text/markdown')
    }
  })

  test.each([
    ['a picture', latin1('\xff\xd8\xff\xe0\0\x10JFIF')],
    ['a program', latin1('\x7fELF\x02\x01\xb0')],
    ['text with a control', latin1('a;\xfc\x1b[2J')],
    ['a NUL far behind', latin1(`\xfc${';'.repeat(5000)}\0`)],
  ])('is not %s', async (_, body) => {
    for (const size of [1, 1000])
      for (const extension of ['csv', 'txt', 'md']) expect(await verdict(extension, body, size)).toBeUndefined()
  })
})

test('a zip without the list of types, or with an empty one, is no Office document', async () => {
  expect(await verdict('docx', zipOf(['word/document.xml']), 1000)).toBeUndefined()
  expect(await verdict('docx', zipOf(['[Content_Types].xml']), 1000)).toBeUndefined()
  expect(await verdict('docx', zipOf(['word/document.xml', 'other/[Content_Types].xml']), 1000)).toBeUndefined()
})

/** The type that a file is served as; undefined if its content does not match. */
async function verdict(extension: string, bytes: Buffer, size: number): Promise<string | undefined> {
  const inspection = inspect(KINDS.get(extension)!)
  for (let at = 0; at < bytes.length; at += size) if (!inspection.see(bytes.subarray(at, at + size))) return undefined
  return inspection.conclude(async () => (await fileTypeFromBuffer(bytes))?.ext)
}

/** An Office document is a zip as well; a JPEG has two extensions; text is text whatever it is called. */
function mustDiffer(extension: string, other: string, body: Buffer): boolean {
  const kind = KINDS.get(extension)!
  if (extension === 'zip') return !body.toString('latin1').startsWith('PK')
  if (kind.text) return KINDS.get(other)!.text !== true && other !== 'gif' && other !== 'pdf'
  return kind.contentType !== KINDS.get(other)!.contentType
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
