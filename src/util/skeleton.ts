import unhomoglyph from 'unhomoglyph'

/** What an eye does not see: whatever is drawn as nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * What a text looks like: two texts of one look can be taken for each other, such as `paypal` and `paypaI`, or `scope` in
 * Latin and in Cyrillic letters.
 * @see Unicode UTS 39, section 4 (skeleton); capitals are not told from small letters
 */
export function lookOf(text: string): string {
  const seen = text.normalize('NFKD').replace(INVISIBLE, '').replace(/\s+/gu, ' ').trim()
  return unhomoglyph(seen).normalize('NFD').toLowerCase()
}

/** The same without regard to how the text is capitalised: of `ADMIN`, `Admin` and `аdmin` it is one. */
export function skeletonOf(text: string): string {
  return lookOf(text.normalize('NFKC').toLowerCase())
}
