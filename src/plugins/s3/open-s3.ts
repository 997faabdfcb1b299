import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type S3Settings, Unavailable } from '#atrium'
import { isStoredName, openSpool, type Storage } from '#atrium/files'

type Client = typeof import('@aws-sdk/client-s3')

const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }
const MOST_SOCKETS = 64
/** Beside the prefixes of the tenants, which are numbers. */
const QUARANTINE = 'quarantine'

/**
 * Files in a bucket of an S3-compatible store, under `{tenantId}/{filename}`. The official client is loaded only here,
 * because storage in a folder does not need it.
 */
export async function openS3(
  settings: S3Settings,
  load: () => Promise<Client> = () => import('@aws-sdk/client-s3'),
): Promise<Storage> {
  const s3 = await load().catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('The configuration says FILE_STORAGE=s3, which needs a package: npm install @aws-sdk/client-s3', {
      cause: error,
    })
  })
  const client = new s3.S3Client({
    region: settings.region,
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    ...(settings.credentials && { credentials: settings.credentials }),
    forcePathStyle: settings.forcePathStyle,
    // The answer and our log report failures; the client would write to the console.
    logger: SILENT,
    // Not every store supports these checksums; the upload sends its own explicitly.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3000,
      socketTimeout: 30_000,
      httpAgent: { maxSockets: MOST_SOCKETS },
      httpsAgent: { maxSockets: MOST_SOCKETS },
    },
  })
  const Bucket = settings.bucket
  const at = (tenantId: number, filename: string) => ({ Bucket, Key: `${tenantId}/${filename}` })

  async function keysBelow(Prefix: string): Promise<string[]> {
    const keys: string[] = []
    let token: string | undefined
    do {
      const page = await client
        .send(new s3.ListObjectsV2Command({ Bucket, Prefix, ...(token && { ContinuationToken: token }) }))
        .catch(unavailable)
      for (const { Key } of page.Contents ?? []) keys.push(Key!)
      token = page.NextContinuationToken
    } while (token)
    return keys
  }

  /** @returns how many there were */
  async function removeBelow(prefix: string): Promise<number> {
    const keys = await keysBelow(prefix)
    for (const Key of keys) await client.send(new s3.DeleteObjectCommand({ Bucket, Key })).catch(missing)
    return keys.length
  }

  /** Copies, then removes: an interruption leaves two copies and loses none. */
  async function move(from: string, to: string): Promise<boolean> {
    const CopySource = `${Bucket}/${from}`
    const copied = await client.send(new s3.CopyObjectCommand({ Bucket, Key: to, CopySource })).catch(missing)
    if (!copied) return false
    await client.send(new s3.DeleteObjectCommand({ Bucket, Key: from })).catch(missing)
    return true
  }

  async function days(): Promise<string[]> {
    const keys = await keysBelow(`${QUARANTINE}/`)
    return [...new Set(keys.map((key) => key.split('/')[1]!))].sort()
  }

  return {
    spool: openSpool(settings.spool),

    async put(tenantId, filename, { path, size, sha256, contentType }) {
      const Body = createReadStream(path)
      const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
      const object = { ...at(tenantId, filename), Body, ContentLength: size, ContentType: contentType, ChecksumSHA256 }
      await client
        .send(new s3.PutObjectCommand(object))
        .catch(unavailable)
        .finally(() => Body.destroy())
    },

    async deliver(reply, { tenantId, filename, size }, range) {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      if (reply.request.method === 'HEAD') {
        const found = await client.send(new s3.HeadObjectCommand(at(tenantId, filename))).catch(missing)
        if (found) reply.header('content-length', found.ContentLength).send(Readable.from([]))
        return found !== undefined
      }
      const Range = range && { Range: `bytes=${range.first}-${range.last}` }
      const found = await client
        .send(new s3.GetObjectCommand({ ...at(tenantId, filename), ...Range }), { abortSignal: gone.signal })
        .catch((error) => {
          if (error.$metadata?.httpStatusCode !== 416) return missing(error)
          throw Object.assign(error, { statusCode: 416, headers: { 'Content-Range': `bytes */${size}` } })
        })
      if (!found) return false
      if (found.ContentRange) reply.code(206).header('content-range', found.ContentRange)
      reply.header('content-length', found.ContentLength).send(found.Body)
      return true
    },

    async remove(tenantId, filename) {
      await client.send(new s3.DeleteObjectCommand(at(tenantId, filename))).catch(missing)
    },

    async read(tenantId, filename) {
      const found = await client.send(new s3.GetObjectCommand(at(tenantId, filename))).catch(missing)
      return found && { size: found.ContentLength!, body: Readable.from(found.Body as AsyncIterable<Uint8Array>) }
    },

    quarantine: (day, tenantId, filename) =>
      move(`${tenantId}/${filename}`, `${QUARANTINE}/${day}/${tenantId}/${filename}`),

    async release(tenantId, filename) {
      for (const day of (await days()).reverse())
        if (await move(`${QUARANTINE}/${day}/${tenantId}/${filename}`, `${tenantId}/${filename}`)) return true
      return false
    },

    quarantinedDays: days,

    emptyQuarantine: (day) => removeBelow(`${QUARANTINE}/${day}/`),

    async removeAll(tenantId) {
      const prefixes = [`${tenantId}/`, ...(await days()).map((day) => `${QUARANTINE}/${day}/${tenantId}/`)]
      let count = 0
      for (const prefix of prefixes) count += await removeBelow(prefix)
      await rm(join(settings.spool, String(tenantId)), { recursive: true, force: true })
      return count
    },

    async list(tenantId) {
      const Prefix = `${tenantId}/`
      const names = (await keysBelow(Prefix)).map((key) => key.slice(Prefix.length))
      // Other objects in the bucket are not ours.
      return names.filter(isStoredName)
    },

    async ageOf(tenantId, filename) {
      const found = await client.send(new s3.HeadObjectCommand(at(tenantId, filename))).catch(missing)
      // The client knows the difference between the store's clock and ours.
      return found && Date.now() + client.config.systemClockOffset - found.LastModified!.getTime()
    },

    close: () => client.destroy(),
  }
}

type Failure = Error & { $metadata?: { httpStatusCode?: number } }

/** A missing object is undefined; any other failure means that the store does not work. */
function missing(error: Failure): undefined {
  return error.$metadata?.httpStatusCode === 404 ? undefined : unavailable(error)
}

function unavailable(error: Failure): never {
  throw new Unavailable(`the file storage does not work: ${error.name}`, { cause: error })
}
