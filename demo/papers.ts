import { crc32, deflateSync } from 'node:zlib'
import type { Paper } from './companies.ts'

/** The bytes of a paper, the same on every run. */
export function bytesOf(holds: Paper['holds']): Buffer {
  if ('text' in holds) return Buffer.from(`${holds.text.trim()}\n`)
  return 'bars' in holds ? chart(holds.bars) : letter(holds.lines)
}

const [WIDTH, HEIGHT] = [320, 160]
const [PAPER, INK] = [0xff, 0x5b]

/** A bar chart as a grey picture. @see https://www.w3.org/TR/png-3/ */
function chart(bars: number[]): Buffer {
  const highest = Math.max(...bars)
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const row = Buffer.alloc(1 + WIDTH, PAPER)
    row[0] = 0
    for (let x = 0; x < WIDTH; x++) {
      const place = (x * bars.length) / WIDTH
      const isBar = place % 1 > 0.2 && HEIGHT - y <= (bars[Math.floor(place)]! / highest) * (HEIGHT - 10)
      if (isBar || y === HEIGHT - 1) row[1 + x] = INK
    }
    return row
  })
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** One page of plain lines as PDF. Its font knows Latin letters only. */
function letter(lines: string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) '`).join('\n')
  const page = `BT /F1 12 Tf 18 TL 72 770 Td\n${shown}\nET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${Buffer.byteLength(page, 'latin1')} >>\nstream\n${page}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = Buffer.byteLength(text, 'latin1')
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const end = Buffer.byteLength(text, 'latin1')
  const count = objects.length + 1
  text += `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
