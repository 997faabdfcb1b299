import { KINDS } from '../../src/domains/files/uploads/magic.ts'
import { type Part, pngOf, zipOf } from './form.ts'

const filler = (begin: string, size: number) => Buffer.from(begin.padEnd(size, '\n'), 'latin1')
const office = (folder: string) => (size: number) =>
  zipOf(['[Content_Types].xml', `${folder}/a`, `${folder}/${'b'.repeat(size % 20_000)}`])
const words = (size: number) => Buffer.from('Maß und Zahl; '.repeat(Math.ceil(size / 15)))

/** Bytes of each kind that may be uploaded, roughly of the given size. */
const WRITERS: Record<string, (size: number) => Buffer> = {
  png: pngOf,
  jpg: (size) => filler('\xff\xd8\xff\xe0', size),
  jpeg: (size) => filler('\xff\xd8\xff\xe1', size),
  webp: (size) => filler('RIFF....WEBPVP8 ', size),
  gif: (size) => filler('GIF89a', size),
  pdf: (size) => filler('%PDF-1.7\n', size),
  txt: words,
  md: words,
  csv: words,
  docx: office('word'),
  xlsx: office('xl'),
  pptx: office('ppt'),
  zip: (size) => zipOf(['a', 'b'.repeat(size % 20_000)]),
}

/** The extensions that may be uploaded. */
export const EXTENSIONS = [...KINDS.keys()]

/** A document of the kind; no two have the same bytes, as its name is among them or chance is. */
export function documentOf(name: string, size: number): Part & { filename: string; content: Buffer } {
  const extension = name.split('.').at(-1)!
  const content = WRITERS[extension]!(Math.max(size, 40))
  return { filename: name, content: extension === 'png' ? content : mark(content, name) }
}

/**
 * Puts the name where no kind looks: text ends with it, a zip has it as the comment after its list, others after their
 * head.
 */
function mark(content: Buffer, name: string): Buffer {
  const end = content.lastIndexOf(Buffer.from('PK\x05\x06'))
  if (end < 0) return Buffer.concat([content, Buffer.from(name)])
  const commented = Buffer.concat([content, Buffer.from(name)])
  commented.writeUInt16LE(name.length, end + 20)
  return commented
}

/** Uploads that must not be kept, under a name without extension, with the status that refuses them. `most`: the largest size that is let in. */
export const REFUSED: readonly ((name: string, most: number) => { parts: Part[]; end?: false; status: number })[] = [
  (name) => ({ parts: [{ filename: `${name}.exe`, content: 'MZ' }], status: 415 }),
  (name) => ({ parts: [{ filename: `${name}.svg`, content: '<svg><script>1</script></svg>' }], status: 415 }),
  (name) => ({ parts: [{ filename: `${name}.png`, content: `<html>${' '.repeat(50_000)}` }], status: 415 }),
  (name) => ({ parts: [{ filename: `${name}.docx`, content: zipOf(['a.txt']) }], status: 415 }),
  (name) => ({ parts: [{ filename: `${name}.txt`, content: `${'x'.repeat(70_000)}\0` }], status: 415 }),
  (name) => ({ parts: [{ filename: `${name}.png`, content: '' }], status: 400 }),
  (name) => ({ parts: [{ name: 'other', filename: `${name}.png`, content: pngOf(100) }], status: 400 }),
  (name) => ({ parts: [documentOf(`${name}.png`, 30_000), documentOf(`${name}.gif`, 100)], status: 400 }),
  (name) => ({ parts: [documentOf(`${name}.png`, 30_000)], end: false, status: 400 }),
  (name, most) => ({ parts: [{ filename: `${name}.png`, content: pngOf(most + 1) }], status: 413 }),
]
