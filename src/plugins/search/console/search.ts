import { api, type SearchResult } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { me } from '#console/lib/me.ts'
import { useQuery } from '#console/lib/router.ts'
import { Search as Box, Filter, Filters } from '#console/parts/filters.ts'
import { Empty, Page, Show } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'
import { addressOf, kindWords } from './kinds.ts'

const MOST = 50

/** Everything that the person may see, by its words: `search?keyword=launch&types=task`. */
export default function Search(): View {
  const { keyword, types } = useQuery('keyword', 'types')
  const words = kindWords()
  const found = useLoad(
    async (signal) => (keyword ? api.search({ q: keyword, types, limit: MOST } as never, { signal }) : undefined),
    [keyword, types],
  )
  return html`<${Page} title=${t('Search')}>
    <${Filters}>
      <${Box} label=${t('Search everywhere')} />
      <${Filter} name="types" label=${t('Kind')} all=${t('All')} options=${Object.entries(words)} />
    <//>
    <${Show} of=${found}>${(results: readonly SearchResult[] | undefined) =>
      results === undefined
        ? html`<p class="quiet">${t('Type some words; the last one may be a beginning. Words between quotation marks have to follow each other.')}</p>`
        : results.length === 0
          ? html`<${Empty}><p>${t('Nothing was found.')}</p><//>`
          : html`<${Results} of=${results} />`}<//>
  <//>`
}

function Results({ of }: { of: readonly SearchResult[] }): View {
  const words = kindWords()
  return table({
    rows: of,
    caption: t('Search'),
    keyOf: ({ type, id }) => `${type} ${id}`,
    columns: [
      {
        title: t('Title'),
        of: (result) => {
          const address = addressOf(me.get()!, result)
          return html`${address ? html`<a href=${`/console/${address}`}>${result.title}</a>` : result.title}
            ${result.excerpt && html`<div class="quiet">${result.excerpt}</div>`}`
        },
      },
      { title: t('Kind'), of: ({ type }) => words[type] ?? type },
      { title: t('Changed'), isTime: true, of: ({ updatedAt }) => timeText(updatedAt) },
    ],
  })
}
