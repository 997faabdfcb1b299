import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { type Listing, numberedPageRequest, rowsBefore } from '#atrium'
import { ANSWERS, analyticsOf, FIGURES, figures, searchRows } from './figures.ts'

/** The figures of the admin pages: a route for each row of their table. */
export const adminDataRoutes: FastifyPluginAsyncZod = async (app) => {
  for (const [name, { path, operation, summary, access = 'signed-in', query, search }] of Object.entries(FIGURES)) {
    const schema = {
      operationId: operation,
      summary,
      ...(query && { querystring: query }),
      response: { 200: ANSWERS[name]! },
    }
    app.get(path, { config: { access }, schema }, async (req, reply) => {
      const language = reply.inLanguage()
      const asked = req.query as Window & { days: number }
      if (search) return reply.page(pageOfRows(searchRows(language, name, asked), asked))
      return name === 'analytics' ? analyticsOf(language, asked.days) : figures(language)[name]
    })
  }
}

type Window = Parameters<typeof numberedPageRequest>[0]

function pageOfRows<Row>(all: readonly Row[], query: Window): Listing<Row> {
  const request = numberedPageRequest(query)
  const start = rowsBefore(request)
  const end = start + request.limit
  const next = end < all.length ? { page: request.page! + 1 } : undefined
  return { rows: all.slice(start, end), total: all.length, next, request, cut: false }
}
