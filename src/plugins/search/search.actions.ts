import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Scope, type Searchable, type SearchedThing, searchables, type User } from '#atrium'
import { excerptOf, holdsPhrases, type Phrase, phrasesOf, piecesOf, type Wanted } from './search.rules.ts'
import type { SearchResult } from './search.schemas.ts'
import { countPieces, listCandidates, REACH } from './search.store.ts'

/** Pieces among which the rarest is looked for, the longest first. */
const MOST_COUNTED = 8
/** Candidates of a kind whose things are read in one go: few, because most callers see what they find. */
const PART = 100
/** How long texts are read before other requests have their turn: one of the longest takes 20 ms. */
const LONGEST_TURN_MS = 5

interface Search {
  limit: number
  phrases: readonly Phrase[]
  pieces: readonly Wanted[]
  /** how many rows each kind has of the pieces that were counted */
  counts: Awaited<ReturnType<typeof countPieces>>
}

interface Seen {
  kind: Searchable<any>
  sees: object
}

interface Found {
  kind: Searchable<any>
  thing: SearchedThing
  inTitle: boolean
}

/**
 * Finds what holds all that is searched for, the best first. The index names candidates, and each kind tells which of them
 * the person sees at this moment.
 */
export async function search(
  scope: Scope,
  user: User,
  { q, types, limit }: { q: string; types?: readonly string[] | undefined; limit: number },
): Promise<SearchResult[]> {
  const phrases = phrasesOf(q)
  const pieces = piecesOf(phrases)
  const kinds = searchables.all().flatMap((kind): Seen[] => {
    const sees = !types || types.includes(kind.type) ? kind.seenBy(user) : undefined
    return sees ? [{ kind, sees }] : []
  })
  if (pieces.length === 0 || kinds.length === 0) return []
  const counts = await countIn(scope, pieces, kinds)
  const found: Found[] = []
  // One after the other: a person has one turn at a time anyway, and few reads may wait for one.
  for (const seen of kinds) found.push(...(await findOf(scope, seen, { limit, phrases, pieces, counts })))
  const best = found.sort(byRank).slice(0, limit)
  const rest = betweenTurns()
  const results: SearchResult[] = []
  for (const { kind, thing } of best) {
    await rest()
    results.push(resultOf(kind, thing, pieces))
  }
  return results
}

function countIn(scope: Scope, pieces: readonly Wanted[], kinds: readonly Seen[]) {
  const counted = pieces.toSorted((one, other) => other.low.length - one.low.length).slice(0, MOST_COUNTED)
  return countPieces(scope, {
    types: kinds.map(({ kind }) => kind.type),
    lows: counted.map(({ low }) => low),
    highs: counted.map(({ high }) => high),
    most: kinds.length * counted.length,
  })
}

/** The best things of one kind that the person sees: at least so many as are wanted, if there are. */
async function findOf(scope: Scope, { kind, sees }: Seen, { limit, phrases, pieces, counts }: Search) {
  const ofKind = counts.filter(({ type }) => type === kind.type)
  const { count, ...rarest } = ofKind.reduce((one, other) => (other.count < one.count ? other : one))
  if (count === 0) return []
  const candidates = await listCandidates(scope, {
    ...rarest,
    lows: pieces.map(({ low }) => low),
    highs: pieces.map(({ high }) => high),
    ...(count > REACH && { isCommon: true }),
  })
  const found: Found[] = []
  const rest = betweenTurns()
  let left = limit
  for (let at = 0; at < candidates.length; at += PART) {
    const part = candidates.slice(at, at + PART)
    const things = await kind.list(scope, { ...sees, ids: part.map(({ id }) => id), most: part.length })
    const byId = new Map(things.map((thing) => [thing.id, thing]))
    for (const { id, inTitle } of part) {
      const thing = byId.get(id)
      if (!thing) continue
      await rest()
      const isInTitle = inTitle && holdsPhrases(thing.title, phrases)
      if (!isInTitle && !holdsPhrases(`${thing.title} ${thing.text}`, phrases)) continue
      found.push({ kind, thing, inTitle: isInTitle })
      // One whose title has the words in another order stands further behind than it did as a candidate.
      if (isInTitle === inTitle && --left === 0) return found
    }
  }
  return found
}

/** Titles before texts, newer before older. */
const byRank = (one: Found, other: Found) =>
  Number(other.inTitle) - Number(one.inTitle) ||
  Number(other.thing.updatedAt > one.thing.updatedAt) - Number(other.thing.updatedAt < one.thing.updatedAt)

/** @returns what lets others have their turn, if this one has lasted long enough */
function betweenTurns(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < LONGEST_TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}

function resultOf({ type }: Searchable<any>, thing: SearchedThing, pieces: readonly Wanted[]): SearchResult {
  const { id, key, title, text, projectId, updatedAt } = thing
  return { type, id, key, title, excerpt: excerptOf(text, pieces), projectId, updatedAt }
}
