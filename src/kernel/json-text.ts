import type { PlainSentence } from './sentence.ts'

/**
 * What JSON.parse lets through and a database or a reader would trip over: NUL characters, lone surrogates, keys that
 * occur twice in one object (the second would silently win), nesting without end.
 */
const DEEPEST = 64

/** Parses JSON text strictly. @returns the value, or undefined with the reason. */
export function parseStrictly(text: string): { value: unknown } | { malformed: true } | { unsound: PlainSentence } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { malformed: true }
  }
  const seen: Seen = { keys: 0, problem: undefined }
  inspect(value, 0, seen)
  if (seen.problem) return { unsound: seen.problem }
  if (seen.keys !== keysIn(text)) return { unsound: 'a key occurs twice in one object' }
  return { value }
}

interface Seen {
  keys: number
  problem: PlainSentence | undefined
}

function inspect(value: unknown, depth: number, seen: Seen): void {
  if (typeof value === 'string') {
    if (isUnsound(value)) seen.problem = 'text must not contain NUL characters or lone surrogates'
    return
  }
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST) {
    seen.problem = 'the body is nested too deeply'
    return
  }
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1, seen)
    return
  }
  for (const key of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[key]
    seen.keys++
    if (reachesPrototype(key, inner) || isUnsound(key)) seen.problem = 'a key is not allowed'
    inspect(inner, depth + 1, seen)
  }
}

/** The two ways in which a body could reach beyond its own object, should anybody ever merge it into another. */
function reachesPrototype(key: string, inner: unknown): boolean {
  if (key === '__proto__') return true
  return key === 'constructor' && typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
}

/** True for text that PostgreSQL would refuse or silently change. */
export function isUnsound(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** A string followed by a colon is a key; the pattern takes each string as a whole, so it is linear. */
function keysIn(text: string): number {
  let keys = 0
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon) keys++
  return keys
}
