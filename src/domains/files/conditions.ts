import type { IncomingHttpHeaders } from 'node:http'

/** What a client can compare its copy with. */
export interface Validators {
  /** a strong one, with its quotes */
  etag: string
  /** ISO instant */
  modifiedAt: string
}

/** `part`: the Range header, if there is one, counts; `whole`: it does not, because the client's part is of something else. */
export type Verdict = 'part' | 'whole' | 'not modified' | 'failed'

/**
 * Decides a conditional GET or HEAD.
 * @see RFC 9110, section 13.2.2 (the order), 13.1.5 (If-Range)
 */
export function weigh(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): Verdict {
  // HTTP dates know no milliseconds.
  const modified = Math.floor(Date.parse(modifiedAt) / 1000) * 1000
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined) {
    if (!names(ifMatch, etag)) return 'failed'
  } else if (modified > dateOf(headers['if-unmodified-since'])) return 'failed'

  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    if (names(ifNoneMatch.replaceAll('W/"', '"'), etag)) return 'not modified'
  } else if (modified <= dateOf(headers['if-modified-since'])) return 'not modified'

  const ifRange = headers['if-range'] as string | undefined
  if (ifRange === undefined || ifRange === etag || dateOf(ifRange) === modified) return 'part'
  return 'whole'
}

function names(list: string, etag: string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => one.trim() === etag)
}

/** NaN compares as false with everything: a date that is none counts as absent. */
function dateOf(header: string | undefined): number {
  return Date.parse(header ?? '')
}
