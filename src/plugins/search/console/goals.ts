import type { Goal } from '#console/extension.ts'
import { api } from '#console/lib/api.ts'
import { t } from '#console/lib/language.ts'
import { me } from '#console/lib/me.ts'
import { addressOf, kindWords } from './kinds.ts'

const MOST = 8

/** What the search finds that has a page of its own, and a way to all that it finds. */
export default async function goals(keyword: string, signal: AbortSignal): Promise<Goal[]> {
  const found = await api.search({ q: keyword, limit: MOST }, { signal })
  const words = kindWords()
  return [
    ...found.flatMap((result) => {
      const path = addressOf(me.get()!, result)
      return path ? [{ path, name: result.title, kind: words[result.type] ?? result.type }] : []
    }),
    { path: `search?keyword=${encodeURIComponent(keyword)}`, name: keyword, kind: t('Search everywhere') },
  ]
}
