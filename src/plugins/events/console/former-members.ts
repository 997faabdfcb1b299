import { api, type Event } from '#console/lib/api.ts'
import { html, type View } from '#console/lib/html.ts'
import { t, timeText } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Empty, Page, Show } from '#console/parts/page.ts'
import { table } from '#console/parts/table.ts'

const AT_A_TIME = 1000

/** Who is deleted now, the last one first, as far back as events are kept. */
export async function listGone(): Promise<Event[]> {
  const last = new Map<number, Event>()
  let some: Event[]
  let after = 0
  do {
    some = await api.listEvents({ types: 'user.deleted,user.restored', limit: AT_A_TIME, after })
    for (const event of some) last.set(event.subject.id, event)
    after = some.at(-1)?.id ?? after
  } while (some.length === AT_A_TIME)
  return [...last.values()].filter(({ type }) => type === 'user.deleted').sort((one, other) => other.id - one.id)
}

/** Who was deleted, when and by whom, as far back as events are kept. Their names are gone. */
export default function FormerMembers(): View {
  const gone = useLoad(listGone, [])
  return html`<${Page} title=${t('Former members')}>
    <p>${t('What named these people was deleted. They can be brought back under their old id, so that what they did is theirs again.')}</p>
    <${Show} of=${gone}>${(events: Event[]) =>
      events.length === 0
        ? html`<${Empty}><p>${t('Nobody was deleted.')}</p><//>`
        : table({
            rows: events,
            caption: t('Former members'),
            columns: [
              { title: t('Deleted on'), isTime: true, of: ({ occurredAt }) => timeText(occurredAt) },
              { title: t('Deleted by'), of: ({ actor }) => actor.name },
              {
                title: t('Actions'),
                of: ({ subject }) =>
                  may('user:create') && html`<a href=${`/console/people/${subject.id}`}>${t('Bring back')}</a>`,
              },
            ],
          })}<//>
  <//>`
}
