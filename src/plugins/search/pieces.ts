/**
 * What texts are compared by. A text is folded, so that what people type in another way is equal, and cut into pieces:
 * words where a script writes blanks between them, and pairs of neighbours where it does not.
 */

/** Marks that a search does not tell apart: accents, the vowel signs of Arabic and Hebrew, and what is not drawn. */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Cf}/gu
/** Letters that no normal form makes equal to what people type instead. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ß: 'ss', ς: 'σ', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' },
  ...{ ى: 'ي', ة: 'ه' },
}
const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/** A text without what a search does not tell apart: case, accents, width, and forms of the same letter. */
export function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(MARKS, '').toLowerCase()
  return bare.replace(OTHER_LETTERS, (letter) => LETTERS[letter]!).normalize('NFC')
}

const UNSPACED = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`
const RUN = new RegExp(String.raw`(?<unspaced>${UNSPACED}+)|[[\p{L}\p{M}\p{N}]--${UNSPACED}]+`, 'gv')

/** Longer words are told apart by so many characters. */
const LONGEST = 40

/** What stands together in a text: a word, or signs without blanks between them. */
export interface Run {
  pieces: string[]
  /** its pieces are pairs; the last one is a single sign, which no pair begins with */
  isUnspaced: boolean
}

/** The runs of a text, in their order. */
export function runsIn(text: string): Run[] {
  return [...fold(text).matchAll(RUN)].map(({ 0: run, groups }) =>
    groups?.unspaced === undefined
      ? { pieces: [[...run].slice(0, LONGEST).join('')], isUnspaced: false }
      : { pieces: pairsIn([...run]), isUnspaced: true },
  )
}

function pairsIn(signs: readonly string[]): string[] {
  return signs.map((sign, at) => sign + (signs[at + 1] ?? ''))
}

/** All pieces of a text, in their order. */
export function piecesIn(text: string): string[] {
  return runsIn(text).flatMap(({ pieces }) => pieces)
}
