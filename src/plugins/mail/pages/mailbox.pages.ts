import { type DomainRoutes, type FastifyReply, html } from '#atrium'
import { hasMailbox } from '../mail.rules.ts'
import { folderOf, readMail, readMails } from '../sending/mailbox.ts'
import { sendPage } from './page.ts'

/** A mail shows what others wrote, so it may do nothing but open links. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox'
const POLICY_OF_MAIL = `sandbox ${SANDBOX}; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'`

/** The mails of development, which leave nobody's machine. Not in production, and not if there is a mail server. */
export const mailboxPages: DomainRoutes = async (app, { config }) => {
  if (!hasMailbox(config)) return
  const folder = folderOf(config)

  app.get('/mail', async (_req, reply) => {
    const mails = await readMails(folder)
    return sendPage(
      reply,
      'en',
      'Mail',
      html`<main><h1>Mail</h1>
<p class="quiet">Development keeps its mails in ${folder}. With MAIL_URL they are sent.</p>
${mails.length === 0 && html`<p>There is none yet.</p>`}
<ul>${mails.map(
        ({ id, mail }) =>
          html`<li><a href="/mail/${id}">${mail.subject || '(no subject)'}</a><br><span class="quiet">to ${addressOf(mail.to)}, </span><time>${mail.date}</time></li>`,
      )}</ul></main>`,
    )
  })

  app.get('/mail/:id', async (req, reply) => {
    const { id } = req.params as { id: string }
    const mail = await readMail(folder, id)
    if (!mail) return sendNone(reply)
    return sendPage(
      reply,
      'en',
      mail.subject ?? 'Mail',
      html`<main><p><a href="/mail">All mails</a></p><h1>${mail.subject}</h1>
<dl><dt>From</dt><dd>${addressOf([mail.from])}</dd><dt>To</dt><dd>${addressOf(mail.to)}</dd><dt>Date</dt><dd>${mail.date}</dd></dl>
<iframe title="As HTML" sandbox="${SANDBOX}" src="/mail/${id}/html"></iframe>
<pre>${mail.text}</pre></main>`,
    )
  })

  app.get('/mail/:id/html', async (req, reply) => {
    const mail = await readMail(folder, (req.params as { id: string }).id)
    if (!mail?.html) return sendNone(reply)
    return reply
      .headers({ 'content-security-policy': POLICY_OF_MAIL, 'x-frame-options': 'SAMEORIGIN' })
      .type('text/html; charset=utf-8')
      .send(mail.html.replace('<head>', '<head><base target="_blank">'))
  })
}

function sendNone(reply: FastifyReply): FastifyReply {
  return sendPage(
    reply.code(404),
    'en',
    'Mail',
    html`<main><h1>There is no such mail</h1><p><a href="/mail">All mails</a></p></main>`,
  )
}

function addressOf(addresses: readonly ({ name?: string; address?: string } | undefined)[] = []): string {
  return addresses.map((each) => (each?.name ? `${each.name} <${each.address}>` : (each?.address ?? ''))).join(', ')
}
