import { cold, countUpTo, type From, list, sql } from '#atrium'

/** Rows of one word, or of words that begin alike, that a search looks at in one kind of things. */
export const REACH = 2000
/** Of more than these, the things that have changed last are looked at as well. */
const LATEST = 1000
/** Things of one kind that a search looks at. */
const MOST = REACH + LATEST

type Texts = readonly string[]

/** How many rows the index has of each piece in each kind of things, counted as far as a search looks. */
export const countPieces = list((from, p: { types: Texts; lows: Texts; highs: Texts; most: number }) =>
  cold
    .selectFrom(sql<{ type: string }>`unnest(${p.types}::text[])`.as<'kind'>(sql`kind (type)`))
    .innerJoin(
      sql<{ low: string; high: string }>`unnest(${p.lows}::text[], ${p.highs}::text[])`.as<'wanted'>(
        sql`wanted (low, high)`,
      ),
      (join) => join.onTrue(),
    )
    .select(['kind.type', 'wanted.low', 'wanted.high'])
    .select(
      countUpTo(
        REACH + 1,
        from('searchWords')
          .where(sql<boolean>`search_words.type = kind.type`)
          .where(sql<boolean>`search_words.word >= wanted.low`)
          .where(sql<boolean>`search_words.word <= wanted.high`),
      ).as('count'),
    )
    .orderBy('kind.type')
    .orderBy('wanted.low')
    .orderBy('wanted.high')
    .limit(p.most),
)

/**
 * The first things of a kind that have a word between two: titles before texts, and newer ones before older ones. Row by
 * row in the order of the index, so that the limit ends the scan.
 */
const haveWord = (from: From, p: { type: string; low: string; high: string }) =>
  from('searchWords')
    .select('searchWords.resourceId')
    .where('searchWords.type', '=', p.type)
    .where('searchWords.word', '>=', p.low)
    .where('searchWords.word', '<=', p.high)
    .orderBy('searchWords.type', 'desc')
    .orderBy('searchWords.word', 'desc')
    .orderBy('searchWords.place', 'desc')
    .orderBy('searchWords.resourceId', 'desc')
    .limit(sql.lit(REACH))

const changedLast = (from: From, type: string) =>
  from('searchEntries')
    .select('searchEntries.resourceId')
    .where('searchEntries.type', '=', type)
    .orderBy('searchEntries.updatedAt', 'desc')
    .orderBy('searchEntries.resourceId', 'desc')
    .limit(sql.lit(LATEST))

const holdAll = (words: ReturnType<typeof sql>, p: { lows: Texts; highs: Texts }) => sql<boolean>`not exists (
  select from unnest(${p.lows}::text[], ${p.highs}::text[]) as wanted (low, high) where not exists (
    select from unnest(${words}) as has (word) where has.word >= wanted.low and has.word <= wanted.high))`

/**
 * Things of a kind that have all pieces, the best first. `low` and `high` are the rarest piece, and `lows` and `highs` all
 * of them; `isCommon` if the index has more of it than is looked at.
 */
export const listCandidates = list(
  (from, p: { type: string; low: string; high: string; lows: Texts; highs: Texts; isCommon?: true }) => {
    const found = haveWord(from, p)
    const looked = p.isCommon === undefined ? found : sql`(${found}) union all (${changedLast(from, p.type)})`
    return from('searchEntries')
      .select(['searchEntries.resourceId as id', 'searchEntries.updatedAt'])
      .select(holdAll(sql`search_entries.title`, p).as('inTitle'))
      .where('searchEntries.type', '=', p.type)
      .where(sql<boolean>`search_entries.resource_id = any(array(${looked}))`)
      .where(holdAll(sql`search_entries.title || search_entries.texts`, p))
      .orderBy('inTitle', 'desc')
      .orderBy('searchEntries.updatedAt', 'desc')
      .orderBy('searchEntries.resourceId', 'desc')
      .limit(sql.lit(MOST))
  },
  { costly: true },
)
