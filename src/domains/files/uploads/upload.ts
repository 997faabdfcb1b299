import { createHash } from 'node:crypto'
import type { MultipartFile } from '@fastify/multipart'
import { type FastifyRequest, fail, type PlainSentence } from '#atrium'
import { extensionOf, fileFaults, originalName } from '../files.rules.ts'
import type { Spool, Spooled } from '../storage/spool.ts'
import type { SpooledFile } from '../storage/storage.ts'
import { inspect, KINDS } from './magic.ts'
import { watchSlowClient } from './slow-client.ts'

/** A complete, checked upload in the spool. */
export interface Upload extends SpooledFile {
  originalName: string
  extension: string
}

export interface Receiver {
  spool: Spool
  tenantId: number
  /** bytes */
  maxSize: number
}

/** Bytes for the rest of a form: boundaries, headers, a few short unread fields, and read-ahead. */
const AROUND = 1_048_576
const LIMITS = { files: 2, fields: 16, parts: 32, fieldNameSize: 100, fieldSize: 4096, headerPairs: 32 }

/**
 * Receives an upload and passes it to `use` once it is complete, checked and on disk. Afterwards its temporary file is
 * always removed, unless `use` has moved it.
 *
 * @throws FILE_REJECTED, VALIDATION_FAILED, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE; Unavailable
 */
export async function receiveUpload<T>(
  req: FastifyRequest,
  receiver: Receiver,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const line = watchSlowClient(req.raw, receiver.maxSize + AROUND)
  let upload: Upload | undefined
  let spooled: Spooled | undefined
  try {
    if (!req.isMultipart()) throw rejected('the body is not a form')
    if (Number(req.headers['content-length']) > receiver.maxSize + AROUND) throw tooLarge(receiver)
    for await (const part of sound(req.parts({ limits: { ...LIMITS, fileSize: receiver.maxSize + 1 } }))) {
      if (part.type === 'field' && part.fieldname !== 'file') continue
      if (part.type === 'field' || part.fieldname !== 'file' || spooled) throw rejected('there must be one file')
      const claim = claimOf(part)
      // From there on the parser drops what comes without waiting for the disk, so it may be a lot before that is noticed.
      part.file.once('limit', line.refuse)
      spooled = await receiver.spool.open(receiver.tenantId)
      upload = { ...claim, ...(await fill(spooled, part.file, claim.extension, receiver)) }
    }
    // The parser reads to the end of the body, not only to the last boundary; otherwise the upload is incomplete.
    if (!req.raw.readableEnded) throw rejected('the body ends too early')
    return await use(upload ?? fail(rejected('there is no file')))
  } catch (error) {
    // Before the disk is waited for: meanwhile the rest arrives, and the client would be cut off before it is answered.
    line.refuse()
    throw error
  } finally {
    await spooled?.discard()
  }
}

/** The client's name for its file, with the extension. @throws VALIDATION_FAILED, UNSUPPORTED_MEDIA_TYPE */
function claimOf(part: MultipartFile) {
  // In a name, browsers encode only the quote, as %22.
  const name = originalName(part.filename?.replaceAll('%22', '"'))
  const extension = extensionOf(name)
  return { originalName: name, extension }
}

/** Writes the file to the spool and measures, hashes and checks it. */
async function fill(spooled: Spooled, file: AsyncIterable<Buffer>, extension: string, { maxSize }: Receiver) {
  const inspection = inspect(KINDS.get(extension)!)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of sound(file)) {
    size += chunk.length
    if (size > maxSize) throw tooLarge({ maxSize })
    if (!inspection.see(chunk)) throw mismatch()
    hash.update(chunk)
    await spooled.write(chunk)
  }
  if (size === 0) throw rejected('the file is empty')
  const contentType = (await inspection.conclude(spooled.readType)) ?? fail(mismatch())
  await spooled.finish()
  return { path: spooled.path, size, sha256: hash.digest('hex'), contentType }
}

/** Errors of the parser are the client's: no boundary, a truncated body, a malformed part. */
async function* sound<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch {
    throw rejected('the form is broken or incomplete')
  }
}

function rejected(message: PlainSentence) {
  return fileFaults.rejected([{ path: 'body.file', message }])
}

function mismatch() {
  return fileFaults.kind([{ path: 'body.file', message: 'the content is not what the extension says' }])
}

function tooLarge({ maxSize }: { maxSize: number }) {
  return fileFaults.tooLarge([{ path: 'body.file', limit: maxSize, message: 'no more than {limit} bytes' }])
}
