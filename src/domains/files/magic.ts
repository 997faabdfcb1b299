/** A kind of file: what it is served as, and how its bytes show that they are what the extension says. */
export interface Kind {
  contentType: string
  /** a browser may show it; everything else is saved */
  inline?: true
  /** the first bytes, at their offsets */
  begins?: readonly Record<number, string>[]
  /** UTF-8 without NUL, all of it */
  text?: true
  /** what the package file-type calls it, when it has walked through the whole file: many kinds begin as a zip */
  type?: string
}

const ZIP = [{ 0: 'PK\x03\x04' }]
const JPEG: Kind = { contentType: 'image/jpeg', inline: true, begins: [{ 0: '\xff\xd8\xff' }] }
const office = (name: string, type: string): Kind => ({
  contentType: `application/vnd.openxmlformats-officedocument.${name}`,
  begins: ZIP,
  type,
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
    docx: office('wordprocessingml.document', 'docx'),
    xlsx: office('spreadsheetml.sheet', 'xlsx'),
    pptx: office('presentationml.presentation', 'pptx'),
    zip: { contentType: 'application/zip', begins: [...ZIP, { 0: 'PK\x05\x06' }] },
  } satisfies Record<string, Kind>),
)

const HEAD = 12

/**
 * Looks at the bytes of a file as they pass, and says whether they are what the kind claims. It keeps the first dozen:
 * what is something else is refused before all of it has come, which file-type could not.
 */
export function inspect({ begins, text, type }: Kind) {
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
    /** The verdict on the whole. `readType` has file-type look at the file. */
    async conclude(readType: () => Promise<string | undefined>): Promise<boolean> {
      if (fitsText) return fitsText()
      return beginsWith(begins, head) && (type === undefined || type === (await readType()))
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
