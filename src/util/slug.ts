const MOST = 64
const LONGEST_SUFFIX = 8

/** What goes into an address, made from what somebody typed: letters and digits of any script, runs of all else a hyphen. */
export function slugOf(typed: string): string {
  const words = typed
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
  return cut(words, MOST)
}

/** What was typed, where that is a slug already; else one that is made, of it or, where it says nothing, of the name. */
export function slugFrom(typed: string | null | undefined, name: string, otherwise: string) {
  const slug = slugOf(typed ?? '') || slugOf(name) || otherwise
  return { slug, isMade: slug !== typed }
}

/** What all slugs begin with that could stand in the way of this one. */
export function rootOf(slug: string): string {
  return slug.slice(0, MOST - LONGEST_SUFFIX)
}

/** The slug itself, or the first of `-2`, `-3` … behind it that is free. @param taken those with the same root */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let free = slug
  for (let at = 2; taken.has(free); at++) free = `${cut(slug, MOST - String(at).length - 1)}-${at}`
  return free
}

/** So many characters of it at most, none of them halved, and no hyphen at either end. */
function cut(words: string, most: number): string {
  let slug = words.replace(/^-/, '').slice(0, most)
  if (!slug.isWellFormed()) slug = slug.slice(0, -1)
  return slug.replace(/-$/, '')
}
