import { addressOf, api, type Call, ifUnchanged, type Locale, type MailSetting, type Profile } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useRef, type View } from '../lib/html.ts'
import { LANGUAGES, t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { nameOf } from '../lib/names.ts'
import { Edit } from '../parts/edit.ts'
import { Field, type FieldOptions, Form, type Values } from '../parts/form.ts'
import { Failure, say } from '../parts/notice.ts'
import { Badge, Page, Show } from '../parts/page.ts'

const MINE = '/api/v1/users/me'

/** What a person says of themselves, and their password. */
export default function ProfilePage(): View {
  const profile = useLoad(async () => ({ ...(await api.getProfile()), call: ifUnchanged(MINE) }), [])
  const change = useCommand(
    ({ currentPassword = '', newPassword = '' }: Values) =>
      api.changePassword({ body: { currentPassword, newPassword } }),
    () => say(t('The password is changed. Your other sessions have ended.')),
  )
  return html`<${Page} title=${t('Profile')}>
    <${Show} of=${profile}>${(mine: Profile) => html`
      <section class="sheet"><${Avatar} mine=${mine} again=${profile.again} /></section>
      <section class="sheet">
        <${Edit} of=${profile} address=${[MINE, `/api/v1/users/${mine.id}`]} fields=${fieldsOf} save=${save} />
      </section>
      <section class="sheet"><${Email} mine=${mine} again=${profile.again} /></section>
    `}<//>
    <section class="sheet">
      <h2>${t('Password')}</h2>
      <${Form} command=${change} save=${t('Change the password')}>
        <${Field} name="currentPassword" label=${t('Current password')} type="password" autocomplete="current-password" required />
        <${Field} name="newPassword" label=${t('New password')} type="password" autocomplete="new-password" required />
      <//>
    </section>
  <//>`
}

const fieldsOf = ({ nickname, phone, locale, timeZone, mail }: Profile): FieldOptions[] => [
  { name: 'nickname', label: t('Name'), value: nickname },
  { name: 'phone', label: t('Phone'), type: 'tel', value: phone },
  {
    name: 'locale',
    label: t('Language of mail'),
    value: locale,
    options: [['', t('That of the tenant')], ...Object.entries(LANGUAGES)],
  },
  {
    name: 'timeZone',
    label: t('Time zone'),
    hint: t('Such as Europe/Paris; empty stands for that of the tenant.'),
    value: timeZone,
  },
  {
    name: 'mail',
    label: t('Mail about news'),
    hint: t('Mail goes to an address that you have confirmed.'),
    value: mail,
    options: [
      ['at_once', t('Immediately')],
      ['daily', t('Once a day, in the morning')],
      ['never', t('Never')],
    ],
  },
]

const save = ({ nickname, phone, locale, timeZone, mail }: Values, { call }: { call: Call }) =>
  api.updateProfile(
    {
      body: {
        nickname: nickname || null,
        phone: phone || null,
        locale: (locale || null) as Locale | null,
        timeZone: timeZone || null,
        mail: mail as MailSetting,
      },
    },
    call,
  )

function Email({ mine, again }: { mine: Profile; again(): void }): View {
  const command = useCommand(
    ({ email, currentPassword }: Values) =>
      api.updateProfile({ body: { email: email || null, currentPassword: currentPassword || null } }),
    ({ pendingEmail }) => {
      say(
        pendingEmail
          ? t('A link was sent to {email}. The address changes when you open it.', { email: pendingEmail })
          : t('Saved'),
      )
      again()
    },
  )
  return html`<h2>${t('E-mail')}</h2>
    <p>
      ${mine.email ?? t('None yet')}${' '}
      ${mine.email && (mine.emailVerified ? html`<${Badge} kind="good">${t('confirmed')}<//>` : html`<${Badge} kind="warn">${t('not confirmed')}<//>`)}
    </p>
    ${mine.pendingEmail && html`<p class="quiet">${t('{email} waits until you open the link that was sent there.', { email: mine.pendingEmail })}</p>`}
    <${Form} key=${mine.email} command=${command} save=${t('Change the address')}>
      <${Field} name="email" label=${t('New address')} type="email" autocomplete="email" value=${mine.pendingEmail ?? ''} />
      <${Field} name="currentPassword" label=${t('Your password')} type="password" autocomplete="current-password" required />
    <//>`
}

/** A picture is uploaded as a file of the person, and then named in the profile. */
function Avatar({ mine, again }: { mine: Profile; again(): void }): View {
  const file = useRef<HTMLInputElement>(null)
  const upload = useCommand(async () => {
    const [picture] = file.current!.files ?? []
    if (!picture) return
    const { key } = await api.uploadFile({ body: { file: picture } })
    await api.updateProfile({ body: { avatarKey: key } }).catch(async (failure) => {
      await api.deleteFile(addressOf({ key })).catch(() => {})
      throw failure
    })
  }, again)
  const remove = useCommand(() => api.updateProfile({ body: { avatarKey: null } }), again)
  return html`<div class="avatar">
    ${
      mine.avatarKey
        ? html`<img src=${`/api/v1/public/files/${mine.avatarKey}`} alt=${t('Your picture')} width="72" height="72" />`
        : html`<span class="initial" aria-hidden="true">${nameOf(mine).slice(0, 1)}</span>`
    }
    <div>
      <h2>${nameOf(mine)}</h2>
      <p class="quiet">${mine.username}</p>
      <div class="actions">
        <label class="button">
          ${upload.isBusy ? t('Working…') : mine.avatarKey ? t('Another picture') : t('Add a picture')}
          <input ref=${file} class="hidden" type="file" accept="image/png,image/jpeg,image/gif,image/webp" onChange=${() => void upload.run()} />
        </label>
        ${mine.avatarKey && html`<button type="button" onClick=${() => void remove.run()}>${t('Remove the picture')}</button>`}
      </div>
      <${Failure} of=${upload.failure ?? remove.failure} />
    </div>
  </div>`
}
