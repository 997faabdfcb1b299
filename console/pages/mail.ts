import { api, type Mail, type MailStatus } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { place } from '../lib/router.ts'
import { Filter, Filters } from '../parts/filters.ts'
import { Failure, say } from '../parts/notice.ts'
import { Badge, Empty, Page } from '../parts/page.ts'
import { List } from '../parts/table.ts'

/** What left the tenant by mail, and what could not. */
export default function Mails(): View {
  const status = (place.use().query.get('status') ?? undefined) as MailStatus | undefined
  const mails = useRows(() => api.each.listMails(status ? { status } : {}), [status])
  const retry = useCommand(
    (id: number) => api.retryMail({ id }),
    ({ recipient }) => {
      say(t('The mail to {recipient} is tried again, for another day.', { recipient }))
      mails.again()
    },
  )
  return html`<${Page} title=${t('Mail')}>
    <${Filters}>
      <${Filter} name="status" label=${t('Status')} all=${t('All')} options=${[['waiting', statusWord('waiting')], ['sent', statusWord('sent')], ['dead', statusWord('dead')]]} />
    <//>
    <${Failure} of=${retry.failure} />
    <${List}
      of=${mails}
      caption=${t('Mail')}
      keyOf=${({ id }: Mail) => id}
      nameOf=${({ recipient, createdAt }: Mail) => `${recipient}, ${timeText(createdAt)}`}
      deeds=${[
        {
          word: t('Try again'),
          question: t('They are tried again, for another day.'),
          fits: ({ status }: Mail) => status === 'dead',
          act: ({ id }: Mail) => api.retryMail({ id }),
        },
      ]}
      empty=${html`<${Empty}><p>${status ? t('No mail has this status.') : t('No mail has left yet. Invitations, new passwords and news go by mail.')}</p><//>`}
      columns=${[
        { title: t('To'), of: ({ recipient }: Mail) => recipient },
        { title: t('About'), of: ({ kind }: Mail) => kindWord(kind) },
        {
          title: t('Status'),
          of: ({ status }: Mail) => html`<${Badge} kind=${KINDS[status]}>${statusWord(status)}<//>`,
        },
        {
          title: t('Attempts'),
          of: ({ attempts, lastError }: Mail) =>
            html`${attempts}${lastError && html`<div class="quiet">${lastError}</div>`}`,
        },
        { title: t('When'), of: ({ createdAt }: Mail) => timeText(createdAt) },
        {
          title: t('Actions'),
          of: ({ id, status, recipient }: Mail) =>
            status === 'dead' &&
            html`<button type="button" aria-label=${t('Try again: {name}', { name: recipient })} onClick=${() => void retry.run(id)}>${t('Try again')}</button>`,
        },
      ]}
    />
  <//>`
}

const KINDS = { waiting: 'warn', sent: 'good', dead: 'bad' } as const

function statusWord(status: MailStatus): string {
  if (status === 'waiting') return t('waiting')
  return status === 'sent' ? t('sent') : t('given up')
}

function kindWord(kind: Mail['kind']): string {
  switch (kind) {
    case 'PASSWORD_RESET':
      return t('New password')
    case 'EMAIL_CONFIRMATION':
      return t('Confirmation of an address')
    case 'EMAIL_CHANGED':
      return t('Change of an address')
    case 'SECOND_FACTOR_ADDED':
      return t('Second factor added')
    case 'SECOND_FACTOR_REMOVED':
      return t('Second factor taken off')
    case 'INVITATION':
    case 'INVITATION_WITH_NOTE':
      return t('Invitation')
    case 'NEWS':
    case 'NEWS_DAILY':
      return t('News')
    default:
      return kind
  }
}
