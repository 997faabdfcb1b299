import {
  type DomainRoutes,
  type FastifyReply,
  type FastifyRequest,
  fill,
  html,
  sharedScope,
  type Tx,
  texts,
  type Visitor,
  visitor,
  z,
} from '#atrium'
import { recordUserFields, savePreferences } from '#atrium/people'
import { findTenant } from '#atrium/tenants'
import { type Subscriber, subscriberOf } from '../news/unsubscribe.ts'
import { findSubscriber } from '../news.store.ts'
import { sendPage } from './page.ts'

export const pageTexts = texts(
  new URL('../texts/pages/', import.meta.url),
  z.strictObject({
    title: z.string(),
    ask: z.string(),
    explain: z.string(),
    stop: z.string(),
    stopped: z.string(),
    unknown: z.string(),
  }),
)

const MOST_BYTES = 4096
type KeyInPath = FastifyRequest<{ Params: { key: string } }>

/**
 * Stops a person's news by mail, without a sign-in (RFC 8058). Programs that look at links read the page, and only its
 * button, or the mail program's own, changes something.
 */
export const unsubscribePages: DomainRoutes = async (app) => {
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'multipart/form-data'],
    { parseAs: 'string', bodyLimit: MOST_BYTES },
    (_req, _body, done) => done(null, undefined),
  )

  app.get('/mail/unsubscribe/:key', { config: { secretInPath: true } }, async (req: KeyInPath, reply) => {
    const found = await find(req)
    if (!found) return sendUnknown(reply)
    const language = reply.inLanguage()
    const { title, ask, explain, stop } = pageTexts(language)
    return sendPage(
      reply,
      language,
      title,
      html`<main class="small"><h1>${ask}</h1><p class="quiet">${fill(language, explain, { tenant: found.tenant })}</p>
<form method="post"><button type="submit">${stop}</button></form></main>`,
    )
  })

  app.post(
    '/mail/unsubscribe/:key',
    // Repeating it changes nothing.
    { config: { secretInPath: true, idempotent: false } },
    async (req: KeyInPath, reply) => {
      const found = await find(req)
      if (!found) return sendUnknown(reply)
      const { tenantId, userId } = found
      const subject = { tenantId, userId, username: null }
      const stop = async (tx: Tx<Visitor>) => {
        if (!(await findSubscriber(tx, { id: userId }))) return
        savePreferences(tx, { id: userId, mail: 'never' })
        recordUserFields(tx, userId, ['mail'])
      }
      await req.transactAs(visitor, tenantId, stop, subject)
      const language = reply.inLanguage()
      const { title, stopped } = pageTexts(language)
      return sendPage(reply, language, title, html`<main class="small"><h1>${stopped}</h1></main>`)
    },
  )

  async function find({ params }: KeyInPath): Promise<(Subscriber & { tenant: string }) | undefined> {
    const subscriber = subscriberOf(app.sealer, params.key)
    const tenant = subscriber && (await findTenant(sharedScope(app.database), { id: subscriber.tenantId }))
    return tenant && { ...subscriber, tenant: tenant.name }
  }
}

function sendUnknown(reply: FastifyReply): FastifyReply {
  const language = reply.inLanguage()
  const { title, unknown } = pageTexts(language)
  return sendPage(reply.code(404), language, title, html`<main class="small"><h1>${unknown}</h1></main>`)
}
