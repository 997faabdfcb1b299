import type { IncomingHttpHeaders } from 'node:http'

/**
 * Conditional requests, for everything that has a validator: versions of rows, public answers, files, the document. The
 * package `fresh` supports only If-None-Match and If-Modified-Since, and @fastify/send checks only files of a folder.
 * @see RFC 9110, section 8.8.3 (entity tags), 13.1 (conditions)
 */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/

/** The tags of If-Match or If-None-Match, with their quotes; undefined if it is not a list of them. */
export function readEntityTags(header: string): '*' | readonly string[] | undefined {
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  for (let rest = header.trim(); rest !== ''; rest = rest.trimStart()) {
    const tag = TAG.exec(rest)?.[0] ?? ''
    rest = rest.slice(tag.length).trimStart()
    if (rest !== '' && !rest.startsWith(',')) return undefined
    rest = rest.slice(1)
    if (tag) tags.push(tag)
  }
  return tags.length ? tags : undefined
}

/** If-None-Match: whether the client has what this tag identifies. Weak tags equal strong ones. */
export function isKnown(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  const tags = readEntityTags(header)
  return tags === '*' || tags?.some((tag) => tag.replace(/^W\//, '') === etag) === true
}

/** If-Match: whether the client means what this tag identifies. A weak tag equals nothing. */
function isMeant(etag: string, header: string): boolean {
  const tags = readEntityTags(header)
  return tags === '*' || tags?.includes(etag) === true
}

/** What a client can compare its copy with. */
export interface Validators {
  /** a strong one, with its quotes */
  etag: string
  /** ISO instant */
  modifiedAt: string
}

/**
 * `part`: the Range header, if there is one, counts; `whole`: it does not, because the client's part is of a different
 * version.
 */
export type Verdict = 'part' | 'whole' | 'not modified' | 'failed'

/**
 * Decides a conditional GET or HEAD.
 * @see RFC 9110, section 13.2.2 (the order), 13.1.5 (If-Range)
 */
export function weigh(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): Verdict {
  // HTTP dates have no milliseconds.
  const modified = Math.floor(Date.parse(modifiedAt) / 1000) * 1000
  const ifMatch = headers['if-match']
  if (ifMatch !== undefined) {
    if (!isMeant(etag, ifMatch)) return 'failed'
  } else if (modified > dateOf(headers['if-unmodified-since'])) return 'failed'

  const ifNoneMatch = headers['if-none-match']
  if (ifNoneMatch !== undefined) {
    if (isKnown(etag, ifNoneMatch)) return 'not modified'
  } else if (modified <= dateOf(headers['if-modified-since'])) return 'not modified'

  const ifRange = headers['if-range'] as string | undefined
  if (ifRange === undefined || ifRange === etag || dateOf(ifRange) === modified) return 'part'
  return 'whole'
}

/** NaN compares as false with everything, so an invalid date counts as absent. */
function dateOf(header: string | undefined): number {
  return Date.parse(header ?? '')
}
