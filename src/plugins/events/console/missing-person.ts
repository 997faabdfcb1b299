import { api } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { may } from '#console/lib/me.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { listGone } from './former-members.ts'

/** On the page of a person who is not there: brings them back if they were deleted, as far back as events are kept. */
export default function MissingPerson({ id, again }: { id: number; again(): void }): View {
  const gone = useLoad(async () => (may('user:create') && may('event:view') ? listGone() : []), [id])
  const wasDeleted = gone.data?.some(({ subject }) => subject.id === id)
  return wasDeleted ? html`<${Restore} id=${id} then=${again} />` : null
}

function Restore({ id, then }: { id: number; then(): void }): View {
  const command = useCommand(
    ({ username = '', password = '', nickname, email }: Values) =>
      api.restoreUser({ id, body: { username, password, nickname: nickname || null, email: email || null } }),
    then,
  )
  return html`<section class="sheet">
    <p>${t('This person was deleted. You can bring them back with the role of a user.')}</p>
    <${Form} command=${command} save=${t('Bring back')}>
      <${Field} name="username" label=${t('User name')} required autofocus />
      <${Field} name="nickname" label=${t('Name')} />
      <${Field} name="email" label=${t('E-mail')} type="email" />
      <${Field} name="password" label=${t('Password')} type="password" autocomplete="new-password" required />
    <//>
  </section>`
}
