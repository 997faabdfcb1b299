import type { FastifyReply, FastifyRequest } from '#atrium'
import { rangeIn } from './byte-range.rules.ts'
import { dispositionOf, fileFaults } from './files.rules.ts'
import { FileBytes, FileParams } from './files.schemas.ts'
import type { StoredFile } from './files.store.ts'
import type { Storage } from './storage/storage.ts'

/** What the document says of every download. */
export const DOWNLOAD = {
  params: FileParams,
  takes: ['Range', 'If-Range', 'If-None-Match', 'If-Match', 'If-Modified-Since', 'If-Unmodified-Since'],
  response: { 200: { description: 'The bytes', content: { '*/*': { schema: FileBytes } } } },
} as const

/** Takes the address literally: another spelling is not the same file. */
export function takeLiterally(req: FastifyRequest, _reply: FastifyReply, done: () => void) {
  const address = req.originalUrl.split('?', 1)[0]!
  const [, tenantId, filename] = /\/files\/([^/]*)\/(.*?)(?:\/resource\/?)?$/.exec(address) ?? []
  req.params = { tenantId, filename }
  done()
}

/**
 * Answers with the bytes of a file, or the requested part, subject to the request's conditions.
 * @throws NOT_FOUND if the bytes are gone, PRECONDITION_FAILED, RANGE_NOT_SATISFIABLE
 */
export async function deliverFile(
  req: FastifyRequest,
  reply: FastifyReply,
  storage: Storage,
  file: StoredFile,
  cacheControl: string,
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`
  const verdict = req.weigh({ etag, modifiedAt: file.createdAt })
  if (verdict === 'failed') throw fileFaults.changed()
  reply.headers({
    'cache-control': cacheControl,
    etag,
    'last-modified': new Date(file.createdAt).toUTCString(),
  })
  if (verdict === 'not modified') return reply.notModified()
  reply.type(file.contentType).headers({
    'accept-ranges': 'bytes',
    'content-disposition': dispositionOf(file),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
  // Ranges are for GET alone. RFC 9110, section 14.2
  const mayBePart = verdict === 'part' && req.method === 'GET'
  const range = mayBePart ? rangeIn(req.headers.range, file.size) : undefined
  if (!(await storage.deliver(reply, file, range))) {
    const { tenantId, filename } = file
    req.log.error({ requestId: req.id, tenantId, filename }, 'the bytes of a file are gone')
    throw fileFaults.notFound()
  }
  return reply
}

const DELIVERY = ['etag', 'last-modified', 'accept-ranges', 'content-disposition']

/** Removes the headers of a file whose download fails, before the failure is answered. */
export function withdraw(
  error: Error & { statusCode?: number; headers?: Record<string, string> },
  _req: FastifyRequest,
  reply: FastifyReply,
) {
  for (const name of DELIVERY) reply.removeHeader(name)
  reply.header('cache-control', 'no-store')
  if (error.statusCode !== 416) throw error
  throw fileFaults.noSuchRange([], { 'content-range': error.headers!['Content-Range']! })
}
