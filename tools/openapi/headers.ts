import type { RequestHeader, ResponseHeader } from '../../src/http/request/described.ts'
import type { Json } from './schemas.ts'

const asked = (description: string, more: Json = {}) => ({ description, schema: { type: 'string', ...more } })
const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })
const count = (description: string, example: number) => ({
  ...{ description, schema: { type: 'integer', minimum: 0 }, example },
})

/** Read from each request. */
export const OF_EVERY_REQUEST = ['X-Tenant-Code', 'Accept-Language'] as const

/** Request headers, as parameters. A route names those that not every request may carry. */
export const PARAMETERS: Record<RequestHeader | 'Idempotency-Key' | (typeof OF_EVERY_REQUEST)[number], Json> = {
  'Accept-Language': asked(
    'The language of messages and of texts that nobody has edited: `en`, or `zh-CN` for any Chinese.',
  ),
  'X-Tenant-Code': asked(
    'The code of the tenant. The default is `default`. With a token it has no effect, except for the system administrator, ' +
      'who then works in that tenant.',
  ),
  'Idempotency-Key': asked(
    'A new one for each command: 1 to 128 visible ASCII characters, such as a UUID. A key that is sent again within 24 ' +
      'hours of a success, or while the first request is being processed, is refused with 409 and nothing is done twice. ' +
      'A refused command releases its key. Anonymous visitors share one set of keys, so use one that cannot be guessed.',
    { minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  ),
  'If-Match': asked(
    'Carry out the command only if this is still the ETag, such as `"42-7.xU3rQk9nTq2ZcWvA"`; else 412. If a `version` is required, `*` does not replace it.',
  ),
  'If-None-Match': asked('Answer 304 if this is still the ETag, such as `"7"`.'),
  'If-Modified-Since': asked('Answer 304 if nothing has changed since then: `Sat, 21 Nov 2026 09:30:00 GMT`.'),
  'Last-Event-ID': asked('The id of the last event received, such as `42`. Later events are sent first.'),
  'If-Range': asked(
    'Answer with the whole instead of the `Range` if this is no longer the ETag or the date of the content.',
  ),
  'If-Unmodified-Since': asked('Answer 412 if it has changed since then: `Sat, 21 Nov 2026 09:30:00 GMT`.'),
  Range: asked('Only this part of the bytes: `bytes=0-1023`.'),
}

/** What a tool sends as it stands: of a header that may be left out there is none, or each first try would be conditional. */
export const EXAMPLE_KEY = '0d9c1c4e-6f9a-4a3e-9d57-0f5b8c7f2a11'

/** Sent by operations that are deprecated, or have fields that are. */
export const OF_DEPRECATED: Json = {
  Deprecation: text('The day on which a release said so first (RFC 9745).', '@1801353600'),
  Sunset: text('Until then it is there (RFC 8594).', 'Sun, 01 Aug 2027 00:00:00 GMT'),
  Link: text('What replaces it.', '</api/v1/hats>; rel="successor-version"'),
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
  'Accept-Ranges': text('Ranges can be requested.', 'bytes'),
  'Cache-Control': text('How long a public response may be cached.', 'public, max-age=60'),
  'Content-Disposition': text(
    'Whether the file is shown or saved, and its original name (RFC 6266).',
    'attachment; filename="plan.pdf"',
  ),
  'Content-Range': text('Which range of the bytes this is.', 'bytes 0-1023/20480'),
  ETag: text('Changes with the content.', '"7"'),
  'Last-Modified': text('When the content was created.', 'Sat, 21 Nov 2026 09:30:00 GMT'),
  Link: text(
    'The next page, with `rel="next"`. Present if more rows follow.',
    '</api/v1/projects?before=42>; rel="next"',
  ),
  Location: text('The address of the created resource.', '/api/v1/projects/42'),
  RateLimit: text(
    'For each limit that applies: how many requests are left, and in how many seconds there will be more.',
    '"upload";r=299;t=60',
  ),
  'RateLimit-Policy': text('Each limit that applies: how many requests, in how many seconds.', '"upload";q=300;w=60'),
  'Retry-After': count('Seconds to wait before trying again.', 1),
  'WWW-Authenticate': text('The scheme of authentication.', 'Bearer'),
  'X-Request-Id': text('Identifies this request in the audit trail and in the log.', 'order-page-17'),
  'X-Total-Count': count(
    'How many rows all pages have together. Sent if `page` or `pageSize` was. With `X-Total-Count-Exact: false` there are more.',
    128,
  ),
  'X-Total-Count-Exact': text(
    '`false` if there are more rows than the total says, because counting stopped there. Absent otherwise.',
    'false',
  ),
  'X-Truncated': text(
    'The parts of the response that reached a limit: `items` are fewer than `pageSize` because they are long, and `Link` leads to the others, or `total` is lower than the real one. Absent if the response is complete.',
    'categories',
  ),
}
