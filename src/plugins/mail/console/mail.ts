import type { Words } from '#console/extension.ts'
import { extensions } from '#console/extensions.ts'
import { api, type Mail, type MailStatus } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useRows } from '#console/lib/load.ts'
import { useQuery } from '#console/lib/router.ts'
import { Filter, Filters } from '#console/parts/filters.ts'
import { Failure, say } from '#console/parts/notice.ts'
import { Badge, Page } from '#console/parts/page.ts'
import { list } from '#console/parts/table.ts'

/** What left the tenant by mail, and what could not. */
export default function Mails(): View {
  const { status } = useQuery('status')
  const mails = useRows(() => api.each.listMails({ status } as object), [status])
  const retry = useCommand(
    (id: number) => api.retryMail({ id }),
    ({ recipient }) => {
      say(t('The mail to {recipient} is tried again, for another day.', { recipient }))
      mails.again()
    },
  )
  return html`<${Page} title=${t('Mail')}>
    <${Filters}>
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${Object.entries(statusWords())} />
    <//>
    <${Failure} of=${retry.failure} />
    ${list({
      of: mails,
      caption: t('Mail'),
      nameOf: ({ recipient, createdAt }) => `${recipient}, ${timeText(createdAt)}`,
      deeds: [
        {
          word: t('Try again'),
          question: t('They are tried again, for another day.'),
          fits: ({ status }) => status === 'dead',
          act: ({ id }) => api.retryMail({ id }),
        },
      ],
      empty: status
        ? t('No mail has this status.')
        : t('No mail has left yet. Invitations, new passwords and news go by mail.'),
      columns: [
        { title: t('To'), of: ({ recipient }) => recipient },
        { title: t('About'), of: ({ kind }) => kindWord(kind) },
        { title: t('Status'), of: ({ status }) => html`<${Badge} kind=${KINDS[status]}>${statusWords()[status]}<//>` },
        {
          title: t('Attempts'),
          of: ({ attempts, lastError }) => html`${attempts}${lastError && html`<div class="quiet">${lastError}</div>`}`,
        },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        {
          title: t('Actions'),
          of: ({ id, status, recipient }) =>
            status === 'dead' &&
            html`<button type="button" aria-label=${t('Try again: {name}', { name: recipient })} onClick=${() => void retry.run(id)}>${t('Try again')}</button>`,
        },
      ],
    })}
  <//>`
}

const KINDS = { waiting: 'warn', sent: 'good', dead: 'bad' } as const

const statusWords = (): Record<MailStatus, string> => ({
  waiting: t('waiting'),
  sent: t('sent'),
  dead: t('given up'),
})

/** What a mail is about, in the words of the domain that sends it. */
function kindWord(kind: Mail['kind']): string {
  const known: Words = Object.assign({}, ...extensions.map(({ mails }) => mails))
  return t(known[kind] ?? kind)
}
