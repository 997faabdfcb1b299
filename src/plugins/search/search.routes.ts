import { type DomainRoutes, z } from '#atrium'
import { search } from './search.actions.ts'
import { SearchQuery, SearchResult } from './search.schemas.ts'

/** The search in everything that a person may see. */
export const searchRoutes: DomainRoutes = async (app) => {
  app.get(
    '/search',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'search',
        summary: 'Search in everything I may see',
        description: [
          'What the caller may read by its own route, as of now: titles before texts, newer before older. Case, accents and width do not matter; Chinese, Japanese and Thai are found by any two signs.',
          'A change is found within two seconds. Of a text the first 20 000 characters are searched.',
          'Of each kind, a search looks at 2000 rows of its rarest word, titles and the newest first, and if there are more, at the 1000 things that have changed last: so of a word that occurs nearly everywhere, it finds some of the newest. Another word narrows it.',
        ].join('\n\n'),
        querystring: SearchQuery,
        response: { 200: z.array(SearchResult) },
      },
    },
    (req) => search(req.scope, req.user, req.query),
  )
}
