import { api, type Profile } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Page, Show } from '../parts/page.ts'

/** What a person says of themselves, and their password. */
export default function ProfilePage(): View {
  const profile = useLoad(() => api.getProfile(), [])
  const save = useCommand(
    ({ nickname, phone }: Values) => api.updateProfile({ body: { nickname: nickname || null, phone: phone || null } }),
    profile.again,
  )
  const change = useCommand(({ currentPassword = '', newPassword = '' }: Values) =>
    api.changePassword({ body: { currentPassword, newPassword } }),
  )
  return html`<${Page} title=${t('Profile')}>
    <${Show} of=${profile}>
      ${(mine: Profile) => html`<${Form} command=${save} save=${t('Save')}>
        <${Field} name="nickname" label=${t('Name')} value=${mine.nickname} />
        <${Field} name="phone" label=${t('Phone')} type="tel" value=${mine.phone} />
      <//>`}
    <//>
    <h2>${t('Password')}</h2>
    <${Form} command=${change} save=${t('Change the password')}>
      <${Field} name="currentPassword" label=${t('Current password')} type="password" autocomplete="current-password" required />
      <${Field} name="newPassword" label=${t('New password')} type="password" autocomplete="new-password" required />
    <//>
  <//>`
}
