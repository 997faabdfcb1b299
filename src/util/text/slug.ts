const MOST = 64
const LONGEST_SUFFIX = 8

/**
 * The part of an address made from typed text: letters and digits of any script, and hyphens for runs of everything
 * else.
 */
export function slugOf(typed: string): string {
  const words = typed
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return cut(words, MOST)
}

/**
 * What was typed, if that is a slug already; else a slug made from it, or from the name if it has no usable character.
 */
export function slugFrom(typed: string | null | undefined, name: string, otherwise: string) {
  const slug = slugOf(typed ?? '') || slugOf(name) || otherwise
  return { slug, isMade: slug !== typed }
}

/** The common prefix of all slugs that could collide with this one. */
export function rootOf(slug: string): string {
  return slug.slice(0, MOST - LONGEST_SUFFIX)
}

/** The slug itself, or the first free one of it with `-2`, `-3` … appended. @param taken those with the same root */
export function freeSlug(slug: string, taken: Pick<ReadonlySet<string>, 'has'>): string {
  let free = slug
  for (let at = 2; taken.has(free); at++) free = `${cut(slug, MOST - String(at).length - 1)}-${at}`
  return free
}

/** At most this many characters, none of them split, and no hyphen at either end. */
function cut(words: string, most: number): string {
  let slug = words.replace(/^-/, '').slice(0, most)
  if (!slug.isWellFormed()) slug = slug.slice(0, -1)
  return slug.replace(/-$/, '')
}
