import { api, type User } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { nameOf } from '#console/lib/names.ts'
import { Dialog } from '#console/parts/dialog.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { say } from '#console/parts/notice.ts'
import { PersonField } from '#console/parts/person.ts'

/** Somebody who decides what waits for a person, from a day to another. */
export default function NameSubstitute({ of: user }: { of: User }): View {
  const [isOpen, open] = useState(false)
  const command = useCommand(
    ({ userId, from = '', until = '' }: Values) =>
      api.setSubstitute({ id: user.id, body: { userId: Number(userId), from, until } }),
    ({ name }) => {
      open(false)
      say(t('{name} is the substitute.', { name }))
    },
  )
  const today = new Date().toISOString().slice(0, 10)
  return html`<button type="button" onClick=${() => open(true)}>${t('Name a substitute')}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${t('Name a substitute')} onClose=${() => open(false)}>
        <p>${t('In these days the substitute may decide what waits for {name}.', { name: nameOf(user) })}</p>
        <${Form} command=${command} save=${t('Save')}>
          <${PersonField} name="userId" label=${t('Substitute')} autofocus required />
          <${Field} name="from" label=${t('First day')} type="date" value=${today} required />
          <${Field} name="until" label=${t('Last day')} type="date" value=${today} required />
        <//>
      <//>`
    }`
}
