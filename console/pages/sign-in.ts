import { isRefusal } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useEffect, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { signIn } from '../lib/me.ts'
import { place } from '../lib/router.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Page } from '../parts/page.ts'

/** The form of sign-in. The code of the second factor is asked for when the service asks for it. */
export function SignIn(): View {
  const tenant = place.use().query.get('tenant')
  const command = useCommand(({ username = '', password = '', tenantCode, code }: Values) =>
    signIn({ username, password, tenantCode: tenantCode || tenant || undefined, code: code || undefined }),
  )
  const [needsCode, askForCode] = useState(false)
  useEffect(() => {
    if (isRefusal(command.failure, 'SECOND_FACTOR_REQUIRED')) askForCode(true)
  }, [command.failure])
  return html`<div class="narrow">
    <${Page} title=${t('Sign in')}>
      <${Form} command=${command} save=${t('Sign in')}>
        <${Field} name="username" label=${t('User name')} autocomplete="username" required autofocus />
        <${Field} name="password" label=${t('Password')} type="password" autocomplete="current-password" required />
        ${!tenant && html`<${Field} name="tenantCode" label=${t('Tenant')} hint=${t('Leave it empty if you do not know one.')} autocomplete="organization" />`}
        ${needsCode && html`<${Field} name="code" label=${t('Code')} hint=${t('From your authenticator, or one of your recovery codes.')} autocomplete="one-time-code" inputmode="numeric" autofocus />`}
      <//>
    <//>
  </div>`
}
