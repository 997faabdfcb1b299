import { api, type Watched } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useRows } from '#console/lib/load.ts'
import { me } from '#console/lib/me.ts'
import { say, sayFailure } from '#console/parts/notice.ts'
import { Page } from '#console/parts/page.ts'
import { list } from '#console/parts/table.ts'
import { pageOf } from '#console/subjects.ts'

export default function Watching(): View {
  const watched = useRows((signal) => api.each.listMyWatching({}, { signal }), [])
  const end = ({ resourceType, resourceId: id }: Watched) =>
    (resourceType === 'task' ? api.unwatchTask({ id }) : api.unwatchProject({ id })).then(() => {
      watched.again()
      say(t('You are no longer told of it.'))
    }, sayFailure)
  return html`<${Page} title=${t('Watching')}>
    ${list({
      of: watched,
      caption: t('Watching'),
      keyOf: ({ resourceType, resourceId }) => `${resourceType} ${resourceId}`,
      empty: t('You watch nothing. A task has a button for it.'),
      columns: [
        { title: t('Title'), of: (one) => html`<${Subject} of=${one} />` },
        { title: t('Kind'), of: ({ resourceType }) => (resourceType === 'task' ? t('Task') : t('Project')) },
        {
          title: t('Actions'),
          of: (one) =>
            html`<button type="button" aria-label=${t('Stop watching {title}', { title: one.title })} onClick=${() => void end(one)}>${t('Stop watching')}</button>`,
        },
      ],
    })}
  <//>`
}

/** Leads to its page, for those who are offered one. */
function Subject({ of: { resourceType, resourceId, title } }: { of: Watched }): View {
  const page = pageOf(me.get()!, resourceType, resourceId)
  return page ? html`<a href=${`/console/${page}`}>${title}</a>` : html`<span>${title}</span>`
}
