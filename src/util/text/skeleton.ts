import { createHash } from 'node:crypto'
import unhomoglyph from 'unhomoglyph'

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** An i or a j with marks. One above takes the place of its own dot. Unicode 17.0, section 7.1 (Diacritics on i and j) */
const DOTTED_WITH_MARKS = /\p{Soft_Dotted}\p{M}+/gu

/**
 * What a text looks like: two texts with the same look can be confused, such as `paypal` and `paypaI`, or `scope` in
 * Latin and in Cyrillic letters.
 * @see Unicode UTS 39, section 4 (skeleton); case is kept
 */
export function lookOf(text: string): string {
  const seen = text.normalize('NFKD').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
  return unhomoglyph(seen).normalize('NFD').replace(DOTTED_WITH_MARKS, withoutDot).toLowerCase()
}

/** A dot above in place of its own cannot be seen. */
const withoutDot = (letter: string) => letter.replaceAll('\u0307', '')

/**
 * The same regardless of case: `ADMIN`, `Admin` and `аdmin` have the same one, and so has `ΑDMΙΝ` with Greek capitals. A
 * letter whose capital looks like a Latin capital becomes that letter before case is folded. Folded first, a Greek Ν would
 * be a ν, which looks like a v.
 */
export function skeletonOf(text: string): string {
  return lookOf(
    text
      .normalize('NFKD')
      .replace(/\P{ASCII}/gu, (letter) => latinFor(letter) ?? letter)
      .toLowerCase(),
  )
}

const LONGEST_KEY = 256

/** Some characters expand to whole words; a key too long for an index is replaced by its hash. */
export function keyOf(appearance: string): string {
  return appearance.length <= LONGEST_KEY ? appearance : createHash('sha256').update(appearance).digest('base64url')
}

/** What a unique index holds for a name: those that look alike have the same key. */
export function skeletonKeyOf(name: string): string {
  return keyOf(skeletonOf(name))
}

/** The same for a code, in which the number of blanks counts: `A B` and `A  B` are two. */
export function codeKeyOf(code: string): string {
  return keyOf(code.split(/\s/u).map(skeletonOf).join(' '))
}

/** Each Latin capital, by what stands for all that look like it. */
const LATIN_CAPITALS = new Map([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((capital) => [unhomoglyph(capital), capital]))
/** Small letters that look like Latin ones and have no capital that does: small capitals, the soft sign, a dotless j. */
const LATIN_SMALL = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢьƅȷ'].map((letter, at) => [letter, 'abcdefghijklmnoprstuvwyzbbj'[at]!]),
)

function latinFor(letter: string): string | undefined {
  const capital = letter.toUpperCase()
  return LATIN_SMALL.get(letter) ?? (/^\p{Lu}$/u.test(capital) ? LATIN_CAPITALS.get(unhomoglyph(capital)) : undefined)
}
