import unhomoglyph from 'unhomoglyph'

/** Characters that are invisible. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * What a text looks like: two texts with the same look can be confused, such as `paypal` and `paypaI`, or `scope` in
 * Latin and in Cyrillic letters.
 * @see Unicode UTS 39, section 4 (skeleton); case is kept
 */
export function lookOf(text: string): string {
  const seen = text.normalize('NFKD').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
  return unhomoglyph(seen).normalize('NFD').toLowerCase()
}

/** The same regardless of case: `ADMIN`, `Admin` and `аdmin` have the same one. */
export function skeletonOf(text: string): string {
  return lookOf(text.normalize('NFKC').toLowerCase())
}
