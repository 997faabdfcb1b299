import type { Fault } from '../../kernel/fault.ts'

/** What a route declares besides its shapes, for the document and the metrics. What follows from them is not repeated. */
declare module 'fastify' {
  interface FastifySchema {
    /** the function's name in a typed client: unique, and permanent */
    operationId?: string
    /** one line, without a full stop */
    summary?: string
    /** the rules that neither the name nor the shapes show */
    description?: string
    /** request headers besides those that every operation takes */
    takes?: readonly RequestHeader[]
    /** response headers of the success besides those that every answer has */
    sends?: readonly ResponseHeader[]
    /** the media type in which the rows of a list are also sent, one on each line */
    lines?: string
    /** what a request asks for that makes nothing, and is answered 200 instead of 201, with the same view */
    makesNothing?: string
    /** refusals besides those that follow from access, parameters and body */
    refuses?: readonly (() => Fault)[]
  }
  interface FastifyContextConfig {
    /** the business event that a success of this route counts as */
    counts?: BusinessEvent
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
  | 'Link'
  | 'Location'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'X-Truncated'
export type BusinessEvent =
  | 'signed_in'
  | 'registered'
  | 'tenant_created'
  | 'project_created'
  | 'task_created'
  | 'task_commented'
  | 'approval_submitted'
  | 'approval_approved'
  | 'approval_rejected'
  | 'file_uploaded'
  | 'article_created'
  | 'order_made'
  | 'contacted'
