import { api, type User } from '../../lib/api.ts'
import { html, type View } from '../../lib/html.ts'
import { t } from '../../lib/language.ts'
import { nameOf } from '../../lib/names.ts'
import { FormDialog } from '../../parts/dialog.ts'
import { Field, type Values } from '../../parts/form.ts'

/** A new password for somebody, which ends all their sessions. */
export function NewPassword({ of: user }: { of: User }): View {
  return html`<${FormDialog}
    label=${t('Set a new password')}
    text=${t('All sessions of {name} end. They sign in again with the new password.', { name: nameOf(user) })}
    save=${t('Set the password')}
    act=${({ password }: Values) => api.updateUser({ id: user.id, body: { password: password! } })}
    said=${t('The password was changed, and the sessions have ended.')}
  >
    <${Field} name="password" label=${t('New password')} type="password" autocomplete="new-password" required autofocus />
  <//>`
}
