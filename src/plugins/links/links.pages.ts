import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type DomainRoutes, LANGUAGES, z } from '#atrium'
import { linkPages } from './links.rules.ts'
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

/** The pages that links lead to, unless a front end has its own (`ACCOUNT_URL`). */
export const linkPagesOf: DomainRoutes = async (app, { config }) => {
  if (config.accountUrl) return

  app.addHook('onRequest', (_req, reply, done) => {
    reply.header('content-security-policy', POLICY)
    done()
  })
  for (const page of linkPages.all())
    app.get(`/account/${page.name}`, { schema: { querystring: PageQuery } }, (req, reply) => {
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
