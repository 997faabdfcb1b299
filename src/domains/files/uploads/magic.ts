/** A kind of file: its content type, and how its bytes are checked against its extension. */
export interface Kind {
  contentType: string
  /** a browser may show it; everything else is saved */
  inline?: true
  /** the first bytes, at their offsets */
  begins?: readonly Record<number, string>[]
  /**
   * UTF-8 without NUL, all of it; or without controls except tab and line ends: UTF-16 after a byte order mark, as Excel
   * saves its "Unicode text", or any legacy encoding, which is served without a charset
   */
  text?: true
  /** its type by the package file-type, which reads the whole file: many kinds begin as a zip */
  type?: string
}

const ZIP = [{ 0: 'PK\x03\x04' }]
const JPEG: Kind = { contentType: 'image/jpeg', inline: true, begins: [{ 0: '\xff\xd8\xff' }] }
const office = (name: string, type: string): Kind => ({
  contentType: `application/vnd.openxmlformats-officedocument.${name}`,
  begins: ZIP,
  type,
})

/** The kinds that may be uploaded, by extension. SVG and HTML are missing because they can carry scripts. */
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
 * Checks the bytes of a file against its kind as they arrive. It keeps the first dozen, so that a wrong kind is refused
 * before the whole file has arrived, which file-type could not.
 */
export function inspect({ contentType, begins, text, type }: Kind) {
  const isUtf8 = text && utf8Check()
  const isOld = text && oldTextCheck()
  const isUtf16 = text && utf16Check()
  let head = Buffer.alloc(0)
  return {
    /** False as soon as a chunk shows another kind. */
    see(chunk: Buffer): boolean {
      if (isUtf8) return [isUtf8(chunk), isOld?.(chunk), isUtf16?.(chunk)].includes(true)
      if (head.length >= HEAD) return true
      head = Buffer.concat([head, chunk.subarray(0, HEAD)])
      return head.length < HEAD || beginsWith(begins, head)
    },
    /** The content type of the whole file; undefined if it is of another kind. `readType` runs file-type on the file. */
    async conclude(readType: () => Promise<string | undefined>): Promise<string | undefined> {
      if (isUtf8?.()) return contentType
      if (isUtf16?.()) return contentType.replace('utf-8', 'utf-16')
      if (isOld?.()) return contentType.split(';', 1)[0]
      const isIt = beginsWith(begins, head) && (type === undefined || type === (await readType()))
      return isIt ? contentType : undefined
    },
  }
}

const CONTROLS = /[[\p{ASCII}&&\p{Cc}]--[\t\n\r]]/v
const hasNoControl = (text: string) => !CONTROLS.test(text)

/** Returns for each chunk whether the text is valid so far; without a chunk, whether it may end here. */
function textCheck(decoder: Pick<TextDecoder, 'decode'>, isFit: (text: string) => boolean) {
  let isValid = true
  return (chunk?: Buffer): boolean => {
    try {
      isValid &&= isFit(decoder.decode(chunk, { stream: chunk !== undefined }))
    } catch {
      isValid = false
    }
    return isValid
  }
}

function utf8Check() {
  return textCheck(new TextDecoder('utf-8', { fatal: true }), (text) => !text.includes('\0'))
}

/** UTF-16 with a byte order mark. */
function utf16Check() {
  let begin = Buffer.alloc(0)
  let check: ReturnType<typeof textCheck> | undefined
  return (chunk?: Buffer): boolean => {
    if (check) return check(chunk)
    begin = Buffer.concat([begin, chunk ?? Buffer.alloc(0)])
    if (chunk && begin.length < 2) return true
    const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[begin.toString('hex', 0, 2)]
    check = encoding ? textCheck(new TextDecoder(encoding, { fatal: true }), hasNoControl) : () => false
    return check(begin)
  }
}

/** Encodings like GBK, Shift-JIS and Windows-1252 keep ASCII in place and never reuse its controls. */
function oldTextCheck() {
  return textCheck({ decode: (chunk) => (chunk as Buffer | undefined)?.toString('latin1') ?? '' }, hasNoControl)
}

function beginsWith(begins: Kind['begins'] = [], head: Buffer): boolean {
  return begins.some((one) =>
    Object.entries(one).every(([at, bytes]) => head.toString('latin1', +at, +at + bytes.length) === bytes),
  )
}
