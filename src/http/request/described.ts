import type { Fault } from '../../kernel/fault.ts'

/** What a route says of itself for the document, beside its shapes. Everything that follows from them is not repeated. */
declare module 'fastify' {
  interface FastifySchema {
    /** what a typed client calls the function: unique, and the same for good */
    operationId?: string
    /** one line, without a full stop */
    summary?: string
    /** the rules that neither the name nor the shapes tell */
    description?: string
    /** request headers beside those that every operation takes */
    takes?: readonly RequestHeader[]
    /** response headers of the success beside those that every answer has */
    sends?: readonly ResponseHeader[]
    /** refusals beside those that follow from access, parameters and body */
    refuses?: readonly (() => Fault)[]
  }
}

export type RequestHeader =
  | 'If-Match'
  | 'If-Modified-Since'
  | 'If-None-Match'
  | 'If-Range'
  | 'If-Unmodified-Since'
  | 'Last-Event-ID'
  | 'Range'
export type ResponseHeader =
  | 'Accept-Ranges'
  | 'Cache-Control'
  | 'Content-Disposition'
  | 'Content-Range'
  | 'ETag'
  | 'Last-Modified'
  | 'Location'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'X-Truncated'
