import { api, type Event } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, type View } from '../../lib/html.ts'
import { t, timeText } from '../../lib/language.ts'
import { useLoad } from '../../lib/load.ts'
import { Field, Form, type Values } from '../../parts/form.ts'
import { Empty, Page, Show } from '../../parts/page.ts'
import { Table } from '../../parts/table.ts'

const MOST = 1000

async function listGone(): Promise<Event[]> {
  const events = await api.listEvents({ types: 'user.deleted,user.restored', limit: MOST })
  const isLast = ({ subject }: Event, at: number) =>
    !events.slice(at + 1).some((later) => later.subject.id === subject.id)
  return events.filter((event, at) => event.type === 'user.deleted' && isLast(event, at)).reverse()
}

/** Who was deleted, when and by whom, as far back as events are kept. Their names are gone. */
export function FormerMembers(): View {
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
                { title: t('Deleted on'), of: ({ occurredAt }: Event) => timeText(occurredAt) },
                { title: t('Deleted by'), of: ({ actor }: Event) => actor.name },
                {
                  title: t('Actions'),
                  of: ({ subject }: Event) => html`<a href=${`/console/people/${subject.id}`}>${t('Bring back')}</a>`,
                },
              ]}
            />`}
    <//>
  <//>`
}

/** Whether somebody was deleted, as far back as events are kept. */
export async function wasDeleted(id: number): Promise<boolean> {
  return (await listGone()).some(({ subject }) => subject.id === id)
}

/** Brings somebody back who was deleted. */
export function Restore({ id, then }: { id: number; then(): void }): View {
  const command = useCommand(
    ({ username = '', password = '', nickname, email }: Values) =>
      api.restoreUser({ id, body: { username, password, nickname: nickname || null, email: email || null } }),
    then,
  )
  return html`<${Page} title=${t('Bring back')}>
    <p>${t('This person was deleted. You can bring them back with the role of a user.')}</p>
    <${Form} command=${command} save=${t('Bring back')}>
      <${Field} name="username" label=${t('User name')} required autofocus />
      <${Field} name="nickname" label=${t('Name')} />
      <${Field} name="email" label=${t('E-mail')} type="email" />
      <${Field} name="password" label=${t('Password')} type="password" autocomplete="new-password" required />
    <//>
  <//>`
}
