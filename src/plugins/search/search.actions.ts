import { type Scope, type Searchable, type SearchedThing, searchables, type User } from '#atrium'
import { excerptOf, holdsPhrases, type Phrase, phrasesOf, piecesOf, type Wanted } from './search.rules.ts'
import type { SearchResult } from './search.schemas.ts'
import { countPieces, listCandidates, REACH } from './search.store.ts'

/** Pieces among which the rarest is looked for, the longest first. */
const MOST_COUNTED = 8
/** Candidates whose things are read in one go: few, because most callers see what they find. */
const READ = [100, 400, 1500]

interface Search {
  phrases: readonly Phrase[]
  pieces: readonly Wanted[]
  lows: string[]
  highs: string[]
}

interface Candidate {
  kind: Searchable<any>
  id: number
  inTitle: boolean
  updatedAt: string
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
  if (pieces.length === 0) return []
  const wanted = { phrases, pieces, lows: pieces.map(({ low }) => low), highs: pieces.map(({ high }) => high) }
  const kinds = searchables.all().filter(({ type }) => !types || types.includes(type))
  const candidates = await listBest(scope, wanted, kinds)
  const found: SearchResult[] = []
  let read = 0
  for (const many of READ) {
    const part = candidates.slice(read, read + many)
    read += many
    if (part.length > 0 && found.length < limit) found.push(...(await seenOf(scope, user, wanted, part)))
  }
  return found.slice(0, limit)
}

/** The candidates of all kinds, the best first. */
async function listBest(scope: Scope, { pieces, lows, highs }: Search, kinds: readonly Searchable<any>[]) {
  const counted = pieces.toSorted((one, other) => other.low.length - one.low.length).slice(0, MOST_COUNTED)
  const types = kinds.map(({ type }) => type)
  const counts = await countPieces(scope, {
    types,
    lows: counted.map(({ low }) => low),
    highs: counted.map(({ high }) => high),
    most: types.length * counted.length,
  })
  const lists = kinds.map(async (kind): Promise<Candidate[]> => {
    const ofKind = counts.filter(({ type }) => type === kind.type)
    const rarest = ofKind.reduce((one, other) => (other.count < one.count ? other : one))
    if (rarest.count === 0) return []
    const { type, low, high, count } = rarest
    const rows = await listCandidates(scope, { type, low, high, lows, highs, ...(count > REACH && { isCommon: true }) })
    return rows.map((row) => ({ kind, ...row }))
  })
  return (await Promise.all(lists)).flat().sort(byRank)
}

const byRank = (one: Pick<Candidate, 'inTitle' | 'updatedAt'>, other: Pick<Candidate, 'inTitle' | 'updatedAt'>) =>
  Number(other.inTitle) - Number(one.inTitle) || (one.updatedAt < other.updatedAt ? 1 : -1)

/** Those candidates that the person sees and that hold the phrases, in their order. */
async function seenOf(scope: Scope, user: User, { phrases, pieces }: Search, candidates: readonly Candidate[]) {
  const lists = [...Map.groupBy(candidates, ({ kind }) => kind)].map(async ([kind, some]) => {
    const sees = kind.seenBy(user)
    if (!sees) return []
    const things = await kind.list(scope, { ...sees, ids: some.map(({ id }) => id), most: some.length })
    return things.map((thing) => [keyOf(kind, thing), thing] as const)
  })
  const seen = new Map((await Promise.all(lists)).flat())
  const held = candidates.flatMap(({ kind, id, inTitle }) => {
    const thing = seen.get(keyOf(kind, { id }))
    if (!thing) return []
    const isInTitle = inTitle && holdsPhrases(thing.title, phrases)
    if (!isInTitle && !holdsPhrases(`${thing.title} ${thing.text}`, phrases)) return []
    return [{ inTitle: isInTitle, updatedAt: thing.updatedAt, result: resultOf(kind, thing, pieces) }]
  })
  return held.sort(byRank).map(({ result }) => result)
}

const keyOf = ({ type }: Searchable<any>, { id }: { id: number }) => `${type} ${id}`

function resultOf({ type }: Searchable<any>, thing: SearchedThing, pieces: readonly Wanted[]): SearchResult {
  const { id, key, title, text, projectId, updatedAt } = thing
  return { type, id, key, title, excerpt: excerptOf(text, pieces), projectId, updatedAt }
}
