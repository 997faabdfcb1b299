import { api, type NewSecondFactor, type Profile } from '#console/lib/api.ts'
import { useCommand } from '#console/lib/command.ts'
import { html, useState, type View } from '#console/lib/html.ts'
import { t } from '#console/lib/language.ts'
import { useLoad } from '#console/lib/load.ts'
import { me, recognize } from '#console/lib/me.ts'
import { Field, Form, type Values } from '#console/parts/form.ts'
import { say } from '#console/parts/notice.ts'
import { Badge, Page, Show } from '#console/parts/page.ts'
import { QrCode } from './qr-code.ts'

/** A second factor protects the account: a code of an app, beside the password. */
export default function SecondFactor(): View {
  const isRequired = me.use()?.refusal !== undefined
  const profile = useLoad(async () => (isRequired ? { secondFactor: false } : api.getProfile()), [])
  const [codes, setCodes] = useState<string[]>()
  const done = () => {
    setCodes(undefined)
    if (isRequired) void recognize()
    else profile.again()
  }
  return html`<${Page} title=${t('Second factor')}>
    ${isRequired && html`<p>${t('Your tenant requires a second factor. Add one to go on.')}</p>`}
    <${Show} of=${profile}>${({ secondFactor }: Pick<Profile, 'secondFactor'>) =>
      codes
        ? html`<${Recovery} codes=${codes} done=${done} />`
        : secondFactor
          ? html`<${Remove} then=${profile.again} />`
          : html`<${Add} then=${setCodes} />`}<//>
  <//>`
}

function Add({ then }: { then(codes: string[]): void }): View {
  const [begun, setBegun] = useState<NewSecondFactor>()
  const begin = useCommand(({ password = '' }: Values) => api.beginSecondFactor({ body: { password } }), setBegun)
  const confirm = useCommand(
    ({ code = '' }: Values) => api.confirmSecondFactor({ body: { code: code.trim() } }),
    ({ recoveryCodes }) => then(recoveryCodes),
  )
  if (!begun)
    return html`<section class="sheet">
      <p>${t('Your password alone opens your account. With a second factor, signing in also takes a code of an app on your phone.')}</p>
      <${Form} command=${begin} save=${t('Add a second factor')}>
        <${Field} name="password" label=${t('Your password')} hint=${t('Empty if you have none, because you sign in at your organization.')} type="password" autocomplete="current-password" />
      <//>
    </section>`
  return html`<section class="sheet">
    <ol class="steps">
      <li>
        <p>${t('Open an authenticator app and scan this code.')}</p>
        <${QrCode} text=${begun.otpauthUrl} label=${t('QR code for your authenticator app')} />
        <p>${t('If you cannot scan it, type this key into the app:')}</p>
        <output class="secret">${begun.secret.replace(/(.{4})/g, '$1 ').trim()}</output>
        <p><a href=${begun.otpauthUrl} target="_blank" rel="noreferrer">${t('Open it in an app on this device')}</a></p>
      </li>
      <li>
        <${Form} command=${confirm} save=${t('Confirm')}>
          <${Field} name="code" label=${t('The six digits that the app shows')} autocomplete="one-time-code" inputmode="numeric" required autofocus />
        <//>
      </li>
    </ol>
  </section>`
}

function Recovery({ codes, done }: { codes: readonly string[]; done(): void }): View {
  const [isCopied, copied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(codes.join('\n')).then(() => copied(true))
  return html`<section class="sheet">
    <h2>${t('Your recovery codes')}</h2>
    <p>${t('The second factor is on. If you lose your phone, each of these codes signs you in once. Keep them where you find them without it: they are shown only now.')}</p>
    <output class="secret codes">${codes.map((code) => html`<span>${code}</span>`)}</output>
    <div class="actions">
      <button type="button" onClick=${copy}>${isCopied ? t('Copied') : t('Copy')}</button>
      <button type="button" class="main" onClick=${done}>${t('I have kept them')}</button>
    </div>
  </section>`
}

function Remove({ then }: { then(): void }): View {
  const remove = useCommand(
    ({ password = '' }: Values) => api.removeSecondFactor({ body: { password } }),
    () => {
      say(t('The second factor is off.'))
      then()
    },
  )
  return html`<section class="sheet">
    <p><${Badge} kind="good">${t('on')}<//> ${t('Signing in takes your password and a code.')}</p>
    <p class="quiet">${t('To use another phone, turn it off and add it again.')}</p>
    <${Form} command=${remove} save=${t('Turn it off')}>
      <${Field} name="password" label=${t('Your password')} type="password" autocomplete="current-password" required />
    <//>
  </section>`
}
