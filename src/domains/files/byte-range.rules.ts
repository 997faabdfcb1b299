import { fileFaults } from './files.rules.ts'

/** Bytes of a file, from the first to the last. */
export interface ByteRange {
  first: number
  last: number
}

const RANGE = /^(\d+)-(\d*)$/
const SUFFIX = /^-(\d+)$/

/**
 * The bytes that a Range header asks for; undefined for all of them: without a header, in another unit, or of several
 * parts.
 * @throws RANGE_NOT_SATISFIABLE
 * @see RFC 9110, section 14.1.2
 */
export function rangeIn(header: string | undefined, size: number): ByteRange | undefined {
  const [, list] = /^\s*bytes=(.*)$/i.exec(header ?? '') ?? []
  if (list === undefined) return undefined
  const parts = list.split(',').map((part) => part.trim())
  const ranges = parts.filter((part) => part !== '').map((part) => rangeOf(part, size))
  const there = ranges.filter((range) => range && range.first < size)
  if (there.length === 0 || ranges.includes(undefined))
    throw fileFaults.noSuchRange([], { 'content-range': `bytes */${size}` })
  return there.length === 1 ? there[0] : undefined
}

/** @returns undefined for what is no range; one of nothing begins behind the end */
function rangeOf(part: string, size: number): ByteRange | undefined {
  const [, length] = SUFFIX.exec(part) ?? []
  if (length !== undefined) return { first: Math.max(0, size - Number(length)), last: size - 1 }
  const [, first, last] = RANGE.exec(part) ?? []
  if (first === undefined || (last && Number(last) < Number(first))) return undefined
  return { first: Number(first), last: Math.min(last ? Number(last) : size, size - 1) }
}
