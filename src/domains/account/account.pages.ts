import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type DomainRoutes, LANGUAGES, z } from '#atrium'
import { PAGES } from './account.rules.ts'
import { pageHtml } from './pages/page-html.ts'

/** The pages run their own script and call their own service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PageQuery = z.object({ lang: z.enum(LANGUAGES).optional().catch(undefined) })

/** The pages that mailed links lead to, unless a front end has its own (`ACCOUNT_URL`). */
export const accountPages: DomainRoutes = async (app, { config }) => {
  if (config.accountUrl) return

  app.addHook('onRequest', (_req, reply, done) => {
    reply.header('content-security-policy', POLICY)
    done()
  })
  for (const page of PAGES)
    app.get(`/account/${page}`, { schema: { querystring: PageQuery } }, (req, reply) => {
      const language = req.query.lang ?? reply.inLanguage()
      return reply.type('text/html; charset=utf-8').send(pageHtml(page, language))
    })

  await app.register(fastifyStatic, {
    root: fileURLToPath(new URL('./pages/', import.meta.url)),
    prefix: '/account/',
    decorateReply: false,
    wildcard: false,
    globIgnore: ['*.ts', '*.json'],
    cacheControl: false,
    index: false,
  })
}
