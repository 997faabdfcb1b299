import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** One part of a multipart form. `header`: its Content-Disposition behind `form-data;`, written by hand for hostile names. */
export interface Part {
  name?: string
  filename?: string
  header?: string
  content: Buffer | string
}

/** A multipart form as bytes, with the headers that announce it. `end` false leaves the closing boundary out. */
export function formOf(parts: Part[], { end = true } = {}): { payload: Buffer; headers: Record<string, string> } {
  const boundary = `----${randomBytes(12).toString('hex')}`
  const chunks = parts.flatMap(({ name = 'file', filename, header, content }) => [
    `--${boundary}\r\nContent-Disposition: form-data; ${header ?? dispositionOf(name, filename)}\r\n`,
    filename === undefined && header === undefined ? '\r\n' : 'Content-Type: application/octet-stream\r\n\r\n',
    content,
    '\r\n',
  ])
  if (end) chunks.push(`--${boundary}--\r\n`)
  return {
    payload: Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** As browsers write it: UTF-8, and of all characters only quotes and line ends are percent-encoded. */
function dispositionOf(name: string, filename: string | undefined): string {
  const quoted = (text: string) => text.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
  return `name="${quoted(name)}"${filename === undefined ? '' : `; filename="${quoted(filename)}"`}`
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** A picture of so many bytes: what tells it from others is its beginning, the rest is noise. */
export function pngOf(size: number): Buffer {
  return Buffer.concat([PNG, randomBytes(Math.max(0, size - PNG.length))]).subarray(0, size)
}

/** What makes a zip an Office document: the list of its types, which names the main one. */
const MAIN_TYPES: Record<string, string> = {
  word: 'wordprocessingml.document',
  xl: 'spreadsheetml.sheet',
  ppt: 'presentationml.presentation',
}

function typesOf(names: string[]): string {
  const main = names.map((name) => MAIN_TYPES[name.split('/')[0]!]).find(Boolean)
  const type = main && `<Override ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/>`
  return `<?xml version="1.0"?><Types>${type ?? ''}</Types>`
}

/** A zip with entries of these names, its list of entries at the end as in every zip. Only a list of types is not empty. */
export function zipOf(names: string[]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const name of names) {
    const content = name === '[Content_Types].xml' ? typesOf(names) : ''
    const local = Buffer.alloc(30 + name.length + content.length)
    local.write('PK\x03\x04', 0, 'latin1')
    local.writeUInt32LE(crc32(content), 14)
    local.writeUInt32LE(content.length, 18)
    local.writeUInt32LE(content.length, 22)
    local.writeUInt16LE(name.length, 26)
    local.write(name + content, 30, 'latin1')
    const entry = Buffer.alloc(46 + name.length)
    entry.write('PK\x01\x02', 0, 'latin1')
    entry.writeUInt32LE(crc32(content), 16)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(content.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entry.write(name, 46, 'latin1')
    locals.push(local)
    entries.push(entry)
    offset += local.length
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, list, end])
}
