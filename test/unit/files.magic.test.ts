import { fileTypeFromBuffer } from 'file-type'
import { describe, expect, test } from 'vitest'
import { inspect, KINDS } from '../../src/domains/files/magic.ts'
import { zipOf } from '../support/form.ts'

const WORD = zipOf(['[Content_Types].xml', 'word/document.xml'])
/** openpyxl and others write the list of types last. */
const EXCEL = zipOf(['xl/workbook.xml', '[Content_Types].xml'])
const POWERPOINT = zipOf(['[Content_Types].xml', 'ppt/presentation.xml'])

const GOOD: Record<string, Buffer> = {
  png: latin1('\x89PNG\r\n\x1a\n....'),
  jpg: latin1('\xff\xd8\xff\xe0'),
  jpeg: latin1('\xff\xd8\xff\xe1..Exif'),
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
    expect(await verdict(extension, bytes, size)).toBe(true)
  })

  test.each(Object.entries(GOOD).filter(([other, body]) => mustDiffer(extension, other, body)))(
    'is not %s',
    async (_, body) => {
      expect(await verdict(extension, body, 1000)).toBe(false)
    },
  )

  test('is not HTML, nor a script in SVG, nor nothing', async () => {
    const text = KINDS.get(extension)!.text === true
    for (const body of ['<!doctype html><script>alert(1)</script>', '<svg xmlns="http://www.w3.org/2000/svg"/>'])
      expect(await verdict(extension, Buffer.from(body), 1000)).toBe(text)
    expect(await verdict(extension, Buffer.alloc(0), 1)).toBe(text)
  })
})

describe('text', () => {
  test.each([
    ['a NUL', Buffer.from('a\0b')],
    ['UTF-16', Buffer.from('\ufeffhello', 'utf16le')],
    ['Latin-1', latin1('Gr\xfc\xdfe')],
    ['a character that is cut off', Buffer.from('😀').subarray(0, 3)],
    ['an overlong form', Buffer.from([0xc0, 0x80])],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ])('is not %s', async (_, body) => {
    for (const size of [1, 1000]) expect(await verdict('txt', body, size)).toBe(false)
  })
})

test('a zip without the list of types, or with an empty one, is no Office document', async () => {
  expect(await verdict('docx', zipOf(['word/document.xml']), 1000)).toBe(false)
  expect(await verdict('docx', zipOf(['[Content_Types].xml']), 1000)).toBe(false)
  expect(await verdict('docx', zipOf(['word/document.xml', 'other/[Content_Types].xml']), 1000)).toBe(false)
})

test('a picture is refused with its first bytes', () => {
  const inspection = inspect(KINDS.get('png')!)
  expect(inspection.see(Buffer.from('<html><body>'))).toBe(false)
})

async function verdict(extension: string, bytes: Buffer, size: number): Promise<boolean> {
  const inspection = inspect(KINDS.get(extension)!)
  for (let at = 0; at < bytes.length; at += size) if (!inspection.see(bytes.subarray(at, at + size))) return false
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
