import { api, type User } from '../../lib/api.ts'
import { useCommand } from '../../lib/command.ts'
import { html, useState, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { nameOf } from '../../lib/names.ts'
import { Dialog } from '../../parts/dialog.ts'
import { Field, Form, type Values } from '../../parts/form.ts'
import { say } from '../../parts/notice.ts'

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
