/** A kind of file: what it is served as, and how its bytes show that they are what the extension says. */
export interface Kind {
  contentType: string
  /** a browser may show it; everything else is saved */
  inline?: true
  /** the first bytes, at their offsets */
  begins?: readonly Record<number, string>[]
  /** UTF-8 without NUL, all of it */
  text?: true
  /** an Office document is a zip that holds a folder of this name */
  holds?: string
}

const ZIP = [{ 0: 'PK\x03\x04' }]
const JPEG: Kind = { contentType: 'image/jpeg', inline: true, begins: [{ 0: '\xff\xd8\xff' }] }
const office = (name: string, holds: string): Kind => ({
  contentType: `application/vnd.openxmlformats-officedocument.${name}`,
  begins: ZIP,
  holds,
})

/** What may be uploaded, by extension. SVG and HTML are not in it: they carry scripts. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    png: { contentType: 'image/png', inline: true, begins: [{ 0: '\x89PNG\r\n\x1a\n' }] },
    jpg: JPEG,
    jpeg: JPEG,
    webp: { contentType: 'image/webp', inline: true, begins: [{ 0: 'RIFF', 8: 'WEBP' }] },
    gif: { contentType: 'image/gif', inline: true, begins: [{ 0: 'GIF87a' }, { 0: 'GIF89a' }] },
    pdf: { contentType: 'application/pdf', inline: true, begins: [{ 0: '%PDF-' }] },
    txt: { contentType: 'text/plain; charset=utf-8', text: true },
    md: { contentType: 'text/markdown; charset=utf-8', text: true },
    csv: { contentType: 'text/csv; charset=utf-8', text: true },
    docx: office('wordprocessingml.document', 'word/'),
    xlsx: office('spreadsheetml.sheet', 'xl/'),
    pptx: office('presentationml.presentation', 'ppt/'),
    zip: { contentType: 'application/zip', begins: [...ZIP, { 0: 'PK\x05\x06' }] },
  } satisfies Record<string, Kind>),
)

const HEAD = 12
/** Where a zip lists what it holds: at its end. Room for the list of some thousand entries. */
const TAIL = 262_144

/** Looks at the bytes of a file as they pass, and says whether they are what the kind claims. It keeps the first dozen. */
export function inspect({ begins, text, holds }: Kind) {
  const fitsText = text && textCheck()
  let head = Buffer.alloc(0)
  return {
    /** False as soon as a chunk shows that it is something else. */
    see(chunk: Buffer): boolean {
      if (fitsText) return fitsText(chunk)
      if (head.length >= HEAD) return true
      head = Buffer.concat([head, chunk.subarray(0, HEAD)])
      return head.length < HEAD || beginsWith(begins, head)
    },
    /** The verdict on the whole. `readTail` reads the last bytes of the file, at most so many. */
    async conclude(readTail: (most: number) => Promise<Buffer>): Promise<boolean> {
      if (fitsText) return fitsText()
      return beginsWith(begins, head) && (holds === undefined || zipHolds(holds, await readTail(TAIL)))
    },
  }
}

/** Without a chunk it says whether the text may end here. */
function textCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk?: Buffer): boolean => {
    try {
      if (chunk) decoder.decode(chunk, { stream: true })
      else decoder.decode()
      return !chunk?.includes(0)
    } catch {
      return false
    }
  }
}

function beginsWith(begins: Kind['begins'], head: Buffer): boolean {
  return begins!.some((one) =>
    Object.entries(one).every(([at, bytes]) => head.toString('latin1', +at, +at + bytes.length) === bytes),
  )
}

/** Both names stand in the list of entries, wherever the writer put the entries themselves. */
function zipHolds(folder: string, tail: Buffer): boolean {
  const list = tail.subarray(Math.max(0, tail.indexOf('PK\x01\x02', 0, 'latin1')))
  return ['PK\x05\x06', '[Content_Types].xml', folder].every((sign) => list.includes(sign, 0, 'latin1'))
}
