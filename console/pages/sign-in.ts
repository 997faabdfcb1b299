import { api, isRefusal } from '../lib/api.ts'
import { useCommand } from '../lib/command.ts'
import { html, useEffect, useState, type View } from '../lib/html.ts'
import { t } from '../lib/language.ts'
import { useLoad } from '../lib/load.ts'
import { providerAddress, providerError, signIn } from '../lib/me.ts'
import { place } from '../lib/router.ts'
import { Field, Form, type Values } from '../parts/form.ts'
import { Page } from '../parts/page.ts'

/** The form of sign-in. The code of the second factor is asked for when the service asks for it. */
export function SignIn(): View {
  const tenant = place.use().query.get('tenant')
  const command = useCommand(({ username = '', password = '', tenantCode, code }: Values) =>
    signIn({ username, password, tenantCode: tenantCode || tenant || undefined, code: code || undefined }),
  )
  const methods = useLoad(() => api.getSignInMethods(tenant ? { tenantCode: tenant } : {}), [tenant])
  const error = providerError.use()
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
      ${methods.data?.identityProvider && html`<p><a class="button" href=${providerAddress(tenant)}>${t('Sign in with the account of your organization')}</a></p>`}
      ${error && html`<p class="wrong" role="alert">${errorWords(error)}</p>`}
    <//>
  </div>`
}

/** What went wrong at the identity provider. */
function errorWords(error: string): string {
  switch (error) {
    case 'ACCESS_DENIED':
      return t('The provider has refused the sign-in.')
    case 'ACCOUNT_NOT_FOUND':
      return t('There is no account for you here. Ask an administrator for an invitation.')
    case 'ACCOUNT_DISABLED':
      return t('Your account is disabled.')
    case 'SIGN_IN_EXPIRED':
      return t('The sign-in took too long. Try again.')
    default:
      return t('The sign-in at the provider did not succeed. Try again later.')
  }
}
