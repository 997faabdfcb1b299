import { api, type ContactMessage } from '../lib/api.ts'
import { html, type View } from '../lib/html.ts'
import { t, timeText } from '../lib/language.ts'
import { useRows } from '../lib/load.ts'
import { may } from '../lib/me.ts'
import { Confirm } from '../parts/dialog.ts'
import { say, sayFailure } from '../parts/notice.ts'
import { Badge, Page } from '../parts/page.ts'
import { list } from '../parts/table.ts'

/** What visitors of the portal have written. */
export default function ContactMessages(): View {
  const messages = useRows((signal) => api.each.listContactMessages({}, { signal }), [])
  const set = (id: number, handled: boolean) =>
    api.handleContactMessage({ id, body: { handled } }).finally(messages.again)
  const toggle = ({ id, handled }: ContactMessage) =>
    void set(id, !handled).then(
      () =>
        say(handled ? t('The message is open again.') : t('The message is handled.'), { undo: () => set(id, handled) }),
      sayFailure,
    )
  return html`<${Page} title=${t('Contact messages')}>
    ${list({
      of: messages,
      whole: { operation: 'listContactMessages' },
      caption: t('Contact messages'),
      nameOf: ({ name, email, createdAt }) => `${name || email}, ${timeText(createdAt)}`,
      deeds: [
        {
          word: t('Mark as handled'),
          question: t('They are handled. You can open each of them again.'),
          fits: ({ handled }) => !handled && may('content:update'),
          act: ({ id }) => api.handleContactMessage({ id, body: { handled: true } }),
        },
        {
          word: t('Delete'),
          question: t('They are deleted. That cannot be undone.'),
          fits: () => may('content:delete'),
          act: ({ id }) => api.deleteContactMessage({ id }),
        },
      ],
      empty: t('Nobody has written yet. Messages come from the contact form of the portal.'),
      columns: [
        {
          title: t('From'),
          of: ({ email, name }) =>
            html`${name && html`${name}<br />`}<a href=${`mailto:${encodeURIComponent(email)}`}>${email}</a>`,
        },
        { title: t('Message'), of: ({ message }) => html`<span class="text">${message}</span>` },
        { title: t('When'), isTime: true, of: ({ createdAt }) => timeText(createdAt) },
        {
          title: t('Status'),
          of: ({ handled }) =>
            html`<${Badge} kind=${handled ? 'good' : 'warn'}>${handled ? t('handled') : t('not handled')}<//>`,
        },
        {
          title: t('Actions'),
          of: (one) => html`<div class="actions">
            ${
              may('content:update') &&
              html`<button type="button" onClick=${() => toggle(one)}>${one.handled ? t('Open again') : t('Mark as handled')}</button>`
            }
            ${
              may('content:delete') &&
              html`<${Confirm}
                label=${t('Delete')}
                question=${t('The message from {name} is deleted. That cannot be undone.', { name: one.name || one.email })}
                act=${() => api.deleteContactMessage({ id: one.id })}
                then=${messages.again}
              />`
            }
          </div>`,
        },
      ],
    })}
  <//>`
}
