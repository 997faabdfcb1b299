import type { RequestHeader, ResponseHeader } from '../../src/http/request/described.ts'
import type { Json } from './schemas.ts'

const text = (example: string, more: Json = {}) => ({ schema: { type: 'string', ...more }, example })
const count = (example: number) => ({ schema: { type: 'integer', minimum: 0 }, example })

/** Request headers, as parameters; a route names them. Those that every request may carry are told in the introduction. */
export const PARAMETERS: Record<RequestHeader | 'Idempotency-Key', Json> = {
  'Idempotency-Key': {
    description:
      'A new one for each command: 1 to 128 visible ASCII characters, such as a UUID. Used again within 24 hours of a ' +
      'success, or while the first request is under way, it is refused with 409 and nothing is done twice. A refused ' +
      'command releases it. Visitors share theirs, so draw one that nobody guesses.',
    schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  },
  'If-Match': {
    description: 'Do it only while the ETag, such as `"42-7"`, is still this one; else 412.',
    schema: { type: 'string' },
  },
  'If-None-Match': {
    description: 'Answer 304 while the ETag, such as `"7"`, is still this one.',
    schema: { type: 'string' },
  },
  'If-Modified-Since': {
    description: 'Answer 304 where nothing has changed since: `Sat, 21 Nov 2026 09:30:00 GMT`.',
    schema: { type: 'string' },
  },
  'Last-Event-ID': {
    description: 'The last event that was seen, such as `42`: what came since is sent first.',
    schema: { type: 'string' },
  },
  Range: { description: 'Only this part of the bytes: `bytes=0-1023`.', schema: { type: 'string' } },
}

/** What a tool sends as it stands: of a header that may be left out there is none, or each first try would be conditional. */
export const EXAMPLE_KEY = '0d9c1c4e-6f9a-4a3e-9d57-0f5b8c7f2a11'

/** Response headers. */
export const HEADERS: Record<
  ResponseHeader | 'Link' | 'Retry-After' | 'WWW-Authenticate' | 'X-Request-Id' | 'X-Total-Count',
  Json
> = {
  'Accept-Ranges': { description: 'Parts can be asked for.', ...text('bytes') },
  'Cache-Control': {
    description: 'How long the answer may be kept, where it is public.',
    ...text('public, max-age=60'),
  },
  'Content-Disposition': {
    description: 'Whether the file is shown or saved, and its original name (RFC 6266).',
    ...text('attachment; filename="plan.pdf"'),
  },
  'Content-Range': { description: 'Which part of the bytes this is.', ...text('bytes 0-1023/20480') },
  ETag: { description: 'Changes with the content.', ...text('"7"') },
  'Last-Modified': { description: 'When the content was made.', ...text('Sat, 21 Nov 2026 09:30:00 GMT') },
  Link: {
    description: 'The next page, with `rel="next"`: there whenever more rows follow.',
    ...text('</api/v1/projects?before=42>; rel="next"'),
  },
  Location: { description: 'Where that which was made is found.', ...text('/api/v1/projects/42') },
  RateLimit: {
    description: 'Of each limit that was counted: how many are left, and after how many seconds there are more.',
    ...text('"upload";r=299;t=60'),
  },
  'RateLimit-Policy': {
    description: 'Each limit that was counted: how many, within how many seconds.',
    ...text('"upload";q=300;w=60'),
  },
  'Retry-After': { description: 'Seconds to wait before trying again.', ...count(1) },
  'WWW-Authenticate': { description: 'The scheme of authentication.', ...text('Bearer') },
  'X-Request-Id': { description: 'Names this request, in the audit trail and in the log.', ...text('order-page-17') },
  'X-Total-Count': {
    description:
      'How many rows there are on all pages; sent when `page` or `pageSize` was. With `X-Truncated: total` there are more than that.',
    ...count(128),
  },
  'X-Truncated': {
    description:
      'The parts of the answer that were cut off at their limits: fewer `items` than `pageSize`, where these are long; a `total` that says less than there are. Absent where all is there.',
    ...text('categories'),
  },
}
