import { piecesIn, runsIn } from './pieces.ts'

/** A piece of what is searched for: all words from `low` to `high`, in the order of their bytes. */
export interface Wanted {
  low: string
  high: string
}

/** Pieces that follow each other: a word, signs without blanks, or what stands between quotation marks. */
export type Phrase = readonly Wanted[]

/** Behind every word that begins so. */
const END = '\u{10ffff}'
const exactly = (word: string): Wanted => ({ low: word, high: word })
const beginning = (word: string): Wanted => ({ low: word, high: word + END })

/** What stands between quotation marks, the last of which may not be typed yet; or without any. */
const PART = /["“”„«»](?<quoted>[^"“”„«»]*)(?<end>["“”„«»]|$)|[^\s"“”„«»]+/gu

/**
 * What somebody searches for. All of it has to occur: each word, the last one as a beginning, and what is between quotation
 * marks in its order. Signs without blanks between them follow each other too.
 */
export function phrasesOf(query: string): Phrase[] {
  const parts = [...query.matchAll(PART)].map(({ 0: part, groups }) => ({
    runs: runsIn(groups?.quoted ?? part),
    isQuoted: groups?.quoted !== undefined,
    isOpen: !groups?.end,
  }))
  const phrases = parts.flatMap(({ runs, isQuoted, isOpen }, at) => {
    const mayGoOn = isOpen && at === parts.length - 1
    const together = isQuoted ? [runs] : runs.map((run) => [run])
    return together.map((some, place) => phraseOf(some, mayGoOn && place === together.length - 1))
  })
  return phrases.filter((phrase) => phrase.length > 0)
}

function phraseOf(runs: ReturnType<typeof runsIn>, mayGoOn: boolean): Phrase {
  const last = runs.at(-1)
  const pieces = runs.flatMap((run) => run.pieces)
  // The last sign of a text stands alone too, but here another one may follow it.
  if (last?.isUnspaced && last.pieces.length > 1) pieces.pop()
  return pieces.map((piece, at) => {
    const isLast = at === pieces.length - 1
    return isLast && (mayGoOn || last!.isUnspaced) ? beginning(piece) : exactly(piece)
  })
}

/** Each piece once. */
export function piecesOf(phrases: readonly Phrase[]): Wanted[] {
  return [...new Map(phrases.flat().map((wanted) => [`${wanted.low} ${wanted.high}`, wanted])).values()]
}

const isPiece = ({ low, high }: Wanted, piece: string) => (low === high ? piece === low : piece.startsWith(low))

/** Whether all phrases of several pieces occur in a text in their order. */
export function holdsPhrases(text: string, phrases: readonly Phrase[]): boolean {
  const long = phrases.filter(({ length }) => length > 1)
  if (long.length === 0) return true
  const pieces = piecesIn(text)
  return long.every((phrase) =>
    pieces.some((_, start) => phrase.every((wanted, at) => isPiece(wanted, pieces[start + at] ?? ''))),
  )
}

/** Characters of an excerpt, of each step in which its place is looked for, and of what it shows before that. */
const EXCERPT = 200
const STEP = 100
const BEFORE = 30
/** Longer than most words, so that one at the end of a step is whole. */
const OVERLAP = 40

/** The part of a text with the first of the pieces that occurs in it; its beginning if none does. */
export function excerptOf(text: string, pieces: readonly Wanted[]): string {
  const shown = text.replace(/\s+/g, ' ').trim()
  let start = 0
  for (let at = 0; at < shown.length; at += STEP) {
    const part = piecesIn(shown.slice(at, at + STEP + OVERLAP))
    if (!part.some((piece) => pieces.some((wanted) => isPiece(wanted, piece)))) continue
    start = Math.max(0, at - BEFORE)
    break
  }
  return cut(shown, start)
}

function cut(text: string, start: number): string {
  const from = start === 0 ? 0 : wordAfter(text, start)
  const end = from + EXCERPT >= text.length ? text.length : from + EXCERPT
  const part = text.slice(from, end).toWellFormed().replaceAll('\ufffd', '').trim()
  return `${from > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`
}

function wordAfter(text: string, place: number): number {
  const blank = text.indexOf(' ', place)
  return blank !== -1 && blank - place < BEFORE ? blank + 1 : place
}

/** The words of a thing, each once: those of its title, and those that only its text has. */
export interface Words {
  title: string[]
  texts: string[]
}

const MOST_WORDS = 5000

/** The words of a thing, in the order of their first places. */
export function wordsOf({ title, text }: { title: string; text: string }): Words {
  const ofTitle = new Set(piecesIn(title))
  const ofText = new Set(piecesIn(text))
  return {
    title: [...ofTitle].slice(0, MOST_WORDS),
    texts: [...ofText.difference(ofTitle)].slice(0, MOST_WORDS),
  }
}

export interface WordRow {
  resourceId: number
  word: string
  place: number
}

/** The rows that one state of a thing has and the other one lacks. */
export function rowsBeyond(resourceId: number, has: Words | undefined, lacks: Words | undefined): WordRow[] {
  const beyond = (words: string[] = [], others: string[] = [], place: number) => {
    const known = new Set(others)
    return words.filter((word) => !known.has(word)).map((word) => ({ resourceId, word, place }))
  }
  return [...beyond(has?.title, lacks?.title, 1), ...beyond(has?.texts, lacks?.texts, 0)]
}
