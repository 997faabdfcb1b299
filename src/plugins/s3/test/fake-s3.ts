import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onLoopback } from '#test/on-loopback.ts'

interface StoredObject {
  body: Buffer
  contentType: string
  modifiedAt: Date
}

const S3_ACCESS = { accessKeyId: 'AKIDOFTHETESTS', secretAccessKey: 'a-secret/of+the-tests', region: 'eu-test-1' }
const LIST_PAGE = 3
const SKEW_MS = 900_000

/**
 * A fake of an S3-compatible store: no real one can be had where these tests run. It speaks the part of the protocol
 * that the file storage uses (PUT, GET with Range, HEAD, DELETE, ListObjectsV2 in pages; addresses in path style) and
 * refuses what a real one would refuse: signatures that are not right (AWS Signature Version 4, computed here with
 * node:crypto alone), headers that were not signed, clocks that differ, bodies that do not fit their checksum or length.
 *
 * See https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export async function startFakeS3(bucket: string) {
  /** by key */
  const objects = new Map<string, StoredObject>()
  /** `PUT /bucket/key 200`, in the order of their answers */
  const log: string[] = []
  let broken: 'SlowDown' | 'hang up' | undefined

  const server = createServer(async (req, res) => {
    const chunks = await req.toArray().catch(() => undefined)
    if (!chunks) return
    const body = Buffer.concat(chunks)
    if (broken === 'hang up') return void req.socket.destroy()
    const url = new URL(req.url!, 'http://s3')
    res.once('finish', () => log.push(`${req.method} ${decodeURIComponent(url.pathname)} ${res.statusCode}`))
    const refused = broken ? ([503, broken] as const) : refusalOf(req, url, body)
    if (refused) return fail(res, ...refused)
    const [, name, ...key] = decodeURIComponent(url.pathname).split('/')
    if (name !== bucket) return fail(res, 404, 'NoSuchBucket')
    if (key.join('/') === '') return list(res, url.searchParams)
    return serve(req, res, key.join('/'), body)
  })

  function serve(req: IncomingMessage, res: ServerResponse, key: string, body: Buffer) {
    const found = objects.get(key)
    switch (req.method) {
      case 'PUT':
        if (req.headers['x-amz-copy-source']) return copy(res, String(req.headers['x-amz-copy-source']), key)
        objects.set(key, { body, contentType: req.headers['content-type'] ?? '', modifiedAt: new Date() })
        return void res.writeHead(200, { etag: etagOf(body) }).end()
      case 'DELETE':
        objects.delete(key)
        return void res.writeHead(204).end()
      case 'HEAD':
        if (!found) return void res.writeHead(404).end()
        return void res.writeHead(200, headersOf(found)).end()
      case 'GET':
        return found ? get(req, res, found) : fail(res, 404, 'NoSuchKey')
      default:
        return fail(res, 405, 'MethodNotAllowed')
    }
  }

  function copy(res: ServerResponse, source: string, key: string) {
    const [, ...from] = decodeURIComponent(source).replace(/^\//, '').split('/')
    const found = objects.get(from.join('/'))
    if (!found) return fail(res, 404, 'NoSuchKey')
    objects.set(key, { ...found, modifiedAt: new Date() })
    const date = new Date().toISOString()
    const result = `<CopyObjectResult><ETag>${etagOf(found.body)}</ETag><LastModified>${date}</LastModified></CopyObjectResult>`
    return void res.writeHead(200, { 'content-type': 'application/xml' }).end(result)
  }

  /** One page, in the order of the keys; the token is the last key of the page before. */
  function list(res: ServerResponse, query: URLSearchParams) {
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
    const page = keys.slice(0, LIST_PAGE)
    const contents = page.map((key) => {
      const { body, modifiedAt } = objects.get(key)!
      const facts = `<Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${body.length}</Size>`
      return `<Contents>${facts}<ETag>${etagOf(body)}</ETag></Contents>`
    })
    const more = keys.length > page.length
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    const facts = `<Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${more}</IsTruncated>${next}`
    xml(res, 200, `<ListBucketResult>${facts}${contents.join('')}</ListBucketResult>`)
  }

  const { url, close } = await onLoopback(server)
  const access = { S3_ACCESS_KEY_ID: S3_ACCESS.accessKeyId, S3_SECRET_ACCESS_KEY: S3_ACCESS.secretAccessKey }
  const place = { S3_BUCKET: bucket, S3_ENDPOINT: url, S3_REGION: S3_ACCESS.region, S3_FORCE_PATH_STYLE: 'true' }
  /** the environment of a service that keeps its files here */
  const env = { FILE_STORAGE: 's3', ...place, ...access }
  return {
    ...{ url, env, objects, log, close },
    /** Answers everything with this failure until it is called without one. */
    breakDown(failure?: typeof broken) {
      broken = failure
    },
  }
}

function get(req: IncomingMessage, res: ServerResponse, found: StoredObject) {
  const { body } = found
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '') ?? []
  if (from === undefined) return void res.writeHead(200, headersOf(found)).end(body)
  const start = from === '' ? Math.max(0, body.length - Number(to)) : Number(from)
  const end = from === '' || to === '' ? body.length - 1 : Math.min(Number(to), body.length - 1)
  if (start > end) return fail(res, 416, 'InvalidRange')
  const part = body.subarray(start, end + 1)
  const range = { 'content-range': `bytes ${start}-${end}/${body.length}`, 'content-length': part.length }
  res.writeHead(206, { ...headersOf(found), ...range }).end(part)
}

function headersOf({ body, contentType, modifiedAt }: StoredObject) {
  const about = { 'last-modified': modifiedAt.toUTCString(), etag: etagOf(body) }
  return { 'content-length': body.length, 'content-type': contentType, ...about }
}

function fail(res: ServerResponse, status: number, code: string) {
  xml(res, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

function xml(res: ServerResponse, status: number, text: string) {
  res.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
}

/** Why a real store would refuse the request. */
function refusalOf(req: IncomingMessage, url: URL, body: Buffer): readonly [number, string] | undefined {
  const { headers } = req
  if (headers['content-length'] !== undefined && Number(headers['content-length']) !== body.length)
    return [400, 'IncompleteBody']
  if (!isSigned(req, url)) return [403, 'SignatureDoesNotMatch']
  const declared = headers['x-amz-content-sha256']
  if (declared !== 'UNSIGNED-PAYLOAD' && declared !== sha256(body).toString('hex'))
    return [400, 'XAmzContentSHA256Mismatch']
  const checksum = headers['x-amz-checksum-sha256']
  if (checksum !== undefined && checksum !== sha256(body).toString('base64')) return [400, 'BadDigest']
  return undefined
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

function isSigned(req: IncomingMessage, url: URL): boolean {
  const { headers } = req
  const [, key, day, region, signed, signature] = AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  if (key !== S3_ACCESS.accessKeyId || region !== S3_ACCESS.region) return false
  const names = signed!.split(';')
  const mustBeSigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  if (!names.includes('host') || !mustBeSigned.every((name) => names.includes(name))) return false
  const at = String(headers['x-amz-date'])
  if (!at.startsWith(day!) || Math.abs(Date.now() - instantOf(at)) > SKEW_MS) return false

  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  const request = [
    req.method,
    url.pathname,
    query.sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(request).toString('hex')].join('\n')
  const signingKey = ['s3', 'aws4_request'].reduce(
    (secret, word) => hmac(secret, word),
    hmac(hmac(`AWS4${S3_ACCESS.secretAccessKey}`, day!), region!),
  )
  return timingSafeEqual(hmac(signingKey, text), Buffer.from(signature!, 'hex'))
}

/** `20261121T101856Z` */
const instantOf = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`
