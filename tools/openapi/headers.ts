import type { RequestHeader, ResponseHeader } from '../../src/http/request/described.ts'
import type { Json } from './schemas.ts'

const text = (example: string, more: Json = {}) => ({ schema: { type: 'string', ...more }, example })
const count = (example: number) => ({ schema: { type: 'integer', minimum: 0 }, example })

/** Read from each request. */
export const OF_EVERY_REQUEST = ['X-Tenant-Code', 'Accept-Language'] as const

/** Request headers, as parameters. A route names those that not every request may carry. */
export const PARAMETERS: Record<RequestHeader | 'Idempotency-Key' | (typeof OF_EVERY_REQUEST)[number], Json> = {
  'Accept-Language': {
    description: 'The language of messages and of texts that nobody has edited: `en`, or `zh-CN` for any Chinese.',
    schema: { type: 'string' },
  },
  'X-Tenant-Code': {
    description:
      'The code of the tenant. The default is `default`. With a token it has no effect, except for the system administrator, ' +
      'who then works in that tenant.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    description:
      'A new one for each command: 1 to 128 visible ASCII characters, such as a UUID. A key that is sent again within 24 ' +
      'hours of a success, or while the first request is being processed, is refused with 409 and nothing is done twice. ' +
      'A refused command releases its key. Anonymous visitors share one set of keys, so use one that cannot be guessed.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  },
  'If-Match': {
    description:
      'Carry out the command only if this is still the ETag, such as `"42-7.xU3rQk9nTq2ZcWvA"`; else 412. If a `version` is required, `*` does not replace it.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description: 'Answer 304 if this is still the ETag, such as `"7"`.',
    schema: { type: 'string' },
  },
  'If-Modified-Since': {
    description: 'Answer 304 if nothing has changed since then: `Sat, 21 Nov 2026 09:30:00 GMT`.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'The id of the last event received, such as `42`. Later events are sent first.',
    schema: { type: 'string' },
  },
  'If-Range': {
    description:
      'Answer with the whole instead of the `Range` if this is no longer the ETag or the date of the content.',
    schema: { type: 'string' },
  },
  'If-Unmodified-Since': {
    description: 'Answer 412 if it has changed since then: `Sat, 21 Nov 2026 09:30:00 GMT`.',
    schema: { type: 'string' },
  },
  Range: { description: 'Only this part of the bytes: `bytes=0-1023`.', schema: { type: 'string' } },
}

/** What a tool sends as it stands: of a header that may be left out there is none, or each first try would be conditional. */
export const EXAMPLE_KEY = '0d9c1c4e-6f9a-4a3e-9d57-0f5b8c7f2a11'

/** Sent by operations that are deprecated, or have fields that are. */
export const OF_DEPRECATED: Json = {
  Deprecation: { description: 'The day on which a release said so first (RFC 9745).', ...text('@1801353600') },
  Sunset: {
    description: 'Until then it is there (RFC 8594).',
    ...text('Sun, 01 Aug 2027 00:00:00 GMT'),
  },
  Link: { description: 'What replaces it.', ...text('</api/v1/hats>; rel="successor-version"') },
}

/** Response headers. */
export const HEADERS: Record<
  | ResponseHeader
  | 'Link'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'X-Request-Id'
  | 'X-Total-Count'
  | 'X-Total-Count-Exact',
  Json
> = {
  'Accept-Ranges': { description: 'Ranges can be requested.', ...text('bytes') },
  'Cache-Control': {
    description: 'How long a public response may be cached.',
    ...text('public, max-age=60'),
  },
  'Content-Disposition': {
    description: 'Whether the file is shown or saved, and its original name (RFC 6266).',
    ...text('attachment; filename="plan.pdf"'),
  },
  'Content-Range': { description: 'Which range of the bytes this is.', ...text('bytes 0-1023/20480') },
  ETag: { description: 'Changes with the content.', ...text('"7"') },
  'Last-Modified': { description: 'When the content was created.', ...text('Sat, 21 Nov 2026 09:30:00 GMT') },
  Link: {
    description: 'The next page, with `rel="next"`. Present if more rows follow.',
    ...text('</api/v1/projects?before=42>; rel="next"'),
  },
  Location: { description: 'The address of the created resource.', ...text('/api/v1/projects/42') },
  RateLimit: {
    description: 'For each limit that applies: how many requests are left, and in how many seconds there will be more.',
    ...text('"upload";r=299;t=60'),
  },
  'RateLimit-Policy': {
    description: 'Each limit that applies: how many requests, in how many seconds.',
    ...text('"upload";q=300;w=60'),
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', ...count(1) },
  'WWW-Authenticate': { description: 'The scheme of authentication.', ...text('Bearer') },
  'X-Request-Id': {
    description: 'Identifies this request in the audit trail and in the log.',
    ...text('order-page-17'),
  },
  'X-Total-Count': {
    description:
      'How many rows all pages have together. Sent if `page` or `pageSize` was. With `X-Total-Count-Exact: false` there are more.',
    ...count(128),
  },
  'X-Total-Count-Exact': {
    description:
      '`false` if there are more rows than the total says, because counting stopped there. Absent otherwise.',
    ...text('false'),
  },
  'X-Truncated': {
    description:
      'The parts of the response that reached a limit: `items` are fewer than `pageSize` because they are long, and `Link` leads to the others, or `total` is lower than the real one. Absent if the response is complete.',
    ...text('categories'),
  },
}
