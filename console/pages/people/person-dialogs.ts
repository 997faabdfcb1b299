import { api, type User } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { nameOf } from '../../lib/names.ts'
import { Dialog } from '../../parts/dialog.ts'
import { Field, Form, type Values } from '../../parts/form.ts'
import { say } from '../../parts/notice.ts'
import { PersonField } from '../../parts/person.ts'

/** A new password for somebody, which ends all their sessions. */
export function NewPassword({ of: user }: { of: User }): View {
  const [isOpen, open] = useState(false)
  const command = useCommand(
    ({ password = '', currentPassword }: Values) =>
      api.updateUser({ id: user.id, body: { password, ...(currentPassword && { currentPassword }) } }),
    () => {
      open(false)
      say(t('The password was changed, and the sessions have ended.'))
    },
  )
  return html`<button type="button" onClick=${() => open(true)}>${t('Set a new password')}</button>
    ${
      isOpen &&
      html`<${Dialog} title=${t('Set a new password')} onClose=${() => open(false)}>
        <p>${t('All sessions of {name} end. They sign in again with the new password.', { name: nameOf(user) })}</p>
        <${Form} command=${command} save=${t('Set the password')}>
          <${Field} name="password" label=${t('New password')} type="password" autocomplete="new-password" required autofocus />
        <//>
      <//>`
    }`
}

/** Somebody who decides what waits for a person, from a day to another. */
export function NameSubstitute({ of: user }: { of: User }): View {
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
