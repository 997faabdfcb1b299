import { api, type Event } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Empty, Page, Show } from '#console/parts/page.ts'
import { Table } from '#console/parts/table.ts'

const MOST = 1000

export async function listGone(): Promise<Event[]> {
  const events = await api.listEvents({ types: 'user.deleted,user.restored', limit: MOST })
  const isLast = ({ subject }: Event, at: number) =>
    !events.slice(at + 1).some((later) => later.subject.id === subject.id)
  return events.filter((event, at) => event.type === 'user.deleted' && isLast(event, at)).reverse()
}

/** Who was deleted, when and by whom, as far back as events are kept. Their names are gone. */
export default function FormerMembers(): View {
  const gone = useLoad(listGone, [])
  return html`<${Page} title=${t('Former members')}>
    <p>${t('What named these people was deleted. They can be brought back under their old id, so that what they did is theirs again.')}</p>
    <${Show} of=${gone}>
      ${(events: Event[]) =>
        events.length === 0
          ? html`<${Empty}><p>${t('Nobody was deleted.')}</p><//>`
          : html`<${Table}
              rows=${events}
              caption=${t('Former members')}
              keyOf=${({ id }: Event) => id}
              columns=${[
                { title: t('Deleted on'), isTime: true, of: ({ occurredAt }: Event) => timeText(occurredAt) },
                { title: t('Deleted by'), of: ({ actor }: Event) => actor.name },
                {
                  title: t('Actions'),
                  of: ({ subject }: Event) =>
                    may('user:create') && html`<a href=${`/console/people/${subject.id}`}>${t('Bring back')}</a>`,
                },
              ]}
            />`}
    <//>
  <//>`
}
