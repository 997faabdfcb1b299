import type { PlainSentence } from './words/sentence.ts'

/**
 * What JSON.parse accepts and a database or a reader cannot handle: NUL characters, lone surrogates, keys that occur
 * twice in one object (the second would silently win), unlimited nesting.
 */
const DEEPEST = 64

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Parses JSON text strictly. @param text well-formed Unicode @returns the value, or undefined with the reason. */
export function parseStrictly(text: string): { value: unknown } | { malformed: true } | { unsound: PlainSentence } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { malformed: true }
  }
  const problem = findProblem(text)
  return problem === undefined ? { value } : { unsound: problem }
}

interface Level {
  /** undefined in a list */
  keys: Set<string> | undefined
  /** the key that it stands under */
  under: string | undefined
}

/** One walk over text that JSON.parse has accepted, string by string. Only escapes can be unsound. */
function findProblem(text: string): PlainSentence | undefined {
  const levels: Level[] = []
  let level: Level | undefined
  let key: string | undefined
  let isKeyNext = false
  let escapeAt = text.indexOf('\\')
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OBJECT:
      case LIST:
        if (levels.length === DEEPEST) return 'the body is nested too deeply'
        isKeyNext = text.charCodeAt(at) === OBJECT
        level = { keys: isKeyNext ? new Set() : undefined, under: key }
        levels.push(level)
        key = undefined
        break
      case END_OF_OBJECT:
      case END_OF_LIST:
        levels.pop()
        level = levels.at(-1)
        break
      case COMMA:
        isKeyNext = level!.keys !== undefined
        break
      case QUOTE: {
        const end = closingQuote(text, at)
        if (escapeAt !== -1 && escapeAt < at) escapeAt = text.indexOf('\\', at)
        const isEscaped = escapeAt !== -1 && escapeAt < end
        if (isKeyNext) {
          key = isEscaped ? String(JSON.parse(text.slice(at, end + 1))) : text.slice(at + 1, end)
          if (isUnsound(key) || reachesPrototype(key, level!)) return 'a key is not allowed'
          if (level!.keys!.has(key)) return 'a key occurs twice in one object'
          level!.keys!.add(key)
        } else if (isEscaped && isUnsound(JSON.parse(text.slice(at, end + 1))))
          return 'text must not contain NUL characters or lone surrogates'
        isKeyNext = false
        at = end
      }
    }
  }
  return undefined
}

/** Where the string that opens at a quote closes: at the first quote after an even number of backslashes. */
export function closingQuote(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); ; close = text.indexOf('"', close + 1)) {
    let before = close
    while (text.charCodeAt(before - 1) === BACKSLASH) before--
    if ((close - before) % 2 === 0) return close
  }
}

/** The two ways in which a body could reach beyond its own object if it were merged into another. */
function reachesPrototype(key: string, { under }: Level): boolean {
  return key === '__proto__' || (key === 'prototype' && under === 'constructor')
}

/** True for text that PostgreSQL would refuse or silently change. */
export function isUnsound(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}
